import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { JsonObject } from '../../src/base/json';
import type { RenderedPart } from '../../src/core/words/protocol';
import { findProtocol } from '../../src/protocols';
import { vcp } from '../../src/protocols/vcp/vcp';
import {
  FakeEndpoint,
  streamForever,
  streamParts,
  type EndpointReply,
} from '../support/servers/fake-endpoint';
import { sleepCommand, runningCommandLines } from '../support/processes/sleep-command';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

const QUESTION = 'Which colour shall it be?';

describe('tools of the agent', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  let home: string;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    // Keeps out the skills of the user who runs the tests.
    home = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
    window = await ParleyWindow.open({
      unfolded: ['Tools'],
      env: { HOME: home, USERPROFILE: home },
      files: { 'notes.txt': 'a plum' },
      settings: {
        'parley.model': 'local',
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
        'parley.toolCalling.protocol': 'native',
        'parley.toolCalling.toolsOnDemand': 'off',
      },
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Queues a reply with these calls, the first with the id `call-0`. */
  function calls(...all: readonly (readonly [name: string, values: JsonObject])[]): void {
    const protocol = findProtocol('native');
    assert.ok(protocol);
    const parts = all.map(([name, values], index) => ({
      type: 'call' as const,
      call: { id: `call-${index}`, name, arguments: values },
    }));
    endpoint.next(streamParts(protocol, parts));
  }

  /** Returns the results of the calls in the second request. */
  function results(): readonly string[] {
    const messages = endpoint.requests[1]?.body.messages as readonly { role: string; content: string }[];
    return messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  }

  function answerBox(call: Locator = window.call('ask_user')): Locator {
    return call.getByRole('textbox', { name: 'Your answer' });
  }

  it('waits for an answer, and a button sends it', async () => {
    calls(['ask_user', { question: QUESTION, options: ['red', 'blue'] }]);
    await window.send('paint it');
    await window.call('ask_user').getByRole('button', { name: 'blue', exact: true }).click();
    await window.idle();
    assert.deepEqual(results(), ['blue']);
    await window.call('ask_user').getByText('blue', { exact: true }).waitFor();
  });

  it('accepts typed text, by keyboard only', async () => {
    calls(['ask_user', { question: QUESTION, options: ['red'] }]);
    await window.send('paint it');
    const option = window.call('ask_user').getByRole('button', { name: 'red', exact: true });
    await option.and(window.page.locator(':enabled')).waitFor();
    // The empty message box gives the focus to the call: one Tab for the button, one for the box.
    const { keyboard } = window.workbench.page;
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type('as green as grass');
    await keyboard.press('Enter');
    await window.idle();
    assert.deepEqual(results(), ['as green as grass']);
  });

  it('keeps two questions apart, even over a reload of the chat', async () => {
    calls(['ask_user', { question: 'First?' }], ['ask_user', { question: 'Second?' }]);
    await window.send('ask both');
    await answerBox(window.call('ask_user').nth(1)).fill('two');
    await answerBox(window.call('ask_user').nth(1)).press('Enter');
    await answerBox(window.call('ask_user').nth(1)).waitFor({ state: 'detached' });
    await window.workbench.runCommand('Explorer: Focus on Folders View');
    await window.workbench.runCommand('Parley: Open Chat');
    await window.reopenChat();
    await window.call('ask_user').nth(1).getByText('two', { exact: true }).waitFor();
    await answerBox(window.call('ask_user').first()).fill('one');
    await answerBox(window.call('ask_user').first()).press('Enter');
    await window.idle();
    assert.deepEqual(results(), ['one', 'two']);
  });

  it('ends a question with Stop', async () => {
    calls(['ask_user', { question: QUESTION }]);
    await window.send('paint it');
    await answerBox().waitFor();
    await window.button('Stop').click();
    await window.idle();
    await eventually(async () => assert.equal(await answerBox().count(), 0));
    assert.equal(endpoint.requests.length, 1);
  });

  it('asks in manual mode whether it may ask', async () => {
    await window.pick('Mode', 'manual');
    calls(['ask_user', { question: QUESTION }]);
    await window.send('paint it');
    await window.call('ask_user').getByRole('button', { name: 'Run', exact: true }).click();
    await answerBox().fill('red');
    await answerBox().press('Enter');
    await window.idle();
    assert.deepEqual(results(), ['red']);
    await window.pick('Mode', 'auto');
  });

  it('shows the plan of the model as a list', async () => {
    calls([
      'update_todos',
      {
        items: [
          { text: 'Look', status: 'completed' },
          { text: 'Change', status: 'in_progress' },
        ],
      },
    ]);
    await window.send('do it');
    await window.idle();
    const items = window.page.getByRole('list', { name: 'Todo list' }).getByRole('listitem');
    await eventually(async () =>
      assert.deepEqual(await items.allInnerTexts(), ['Done:\nLook', 'In progress:\nChange']),
    );
    assert.deepEqual(results(), ['The todo list has 2 items: 1 completed, 1 in progress, 0 pending.']);
    await window.startNew();
    await items.first().waitFor({ state: 'detached' });
  });

  it('offers skills if there are any, lists them, and loads one', async () => {
    const offered = (): unknown =>
      endpoint.requests[0]?.body.tools?.some((tool) => tool.function.name === 'call_skill');
    await window.showTool('call_skill');
    await until(() => window.tool('call_skill').innerText(), /not offered/);
    await window.send('hello');
    await window.idle();
    assert.equal(offered(), false);

    const mine = path.join(home, '.agents/skills/letters');
    const theirs = path.join(window.folder, '.claude/skills/forms');
    for (const folder of [mine, theirs]) {
      mkdirSync(folder, { recursive: true });
      const name = path.basename(folder);
      writeFileSync(
        path.join(folder, 'SKILL.md'),
        `---\nname: ${name}\ndescription: For ${name}.\n---\nDo ${name}.`,
      );
    }
    endpoint.reset();
    calls(['call_skill', { name: 'letters' }], ['call_skill', { name: 'forms', args: 'all' }]);
    await window.send('use them');
    await window.idle();
    assert.equal(offered(), true);
    assert.match(
      JSON.stringify(endpoint.requests[0]?.body.tools),
      /- letters \(user\): For letters\.\\n- forms \(workspace\): For forms\./,
    );
    assert.deepEqual(results(), [
      `Skill letters of the user. Its files are in ${mine}; read them with read_file.\n\nDo letters.`,
      'Skill forms of the workspace. Its files are in .claude/skills/forms; read them with read_file.\nArguments: all\n\nDo forms.',
    ]);
    await until(() => window.tool('call_skill').innerText(), /reads/);
  });

  describe('sub-agents', () => {
    let calls = 0;
    function call(name: string, values: Readonly<Record<string, string>>): RenderedPart {
      return { type: 'call', call: { id: `s${++calls}`, name, arguments: values } };
    }
    const say = (...parts: readonly RenderedPart[]): EndpointReply => streamParts(vcp, parts);

    beforeEach(() => window.pick('Protocol', 'vcp'));

    /** The reason for the request: the user's message or the task, which comes first after the instructions. */
    const taskOf = (at: number): string => endpoint.requests[at]?.body.messages[1]?.content ?? '';

    it('does a task over a text protocol, and returns its answer', async () => {
      endpoint.next(
        say(call('call_sub_agent', { task: 'What do the notes say?' })),
        say(call('read_file', { path: 'notes.txt' })),
        say({ type: 'text', text: 'They name a fruit.' }),
      );
      await window.send('look');
      await window.idle();
      assert.equal(taskOf(1), 'What do the notes say?');
      assert.match(JSON.stringify(endpoint.requests[2]?.body.messages), /a plum/);
      const last = JSON.stringify(endpoint.requests[3]?.body.messages);
      assert.match(last, /They name a fruit\./);
      assert.doesNotMatch(last, /a plum/);
      await window.call('call_sub_agent').locator('summary').first().click();
      await window.call('call_sub_agent').getByText('2 requests · 1 call').click();
      await window.call('call_sub_agent').getByRole('group', { name: 'Tool call read_file' }).waitFor();
      const log = await window.output('Parley: Show Tool Calls', /a plum[\s\S]*call_sub_agent/);
      assert.match(log, /unasked/);
    });

    it('ends with Stop: one that waits for its model, a nested one, and its command', async () => {
      let isClosed = false;
      endpoint.next(
        say(call('call_sub_agent', { task: 'outer', tools: '["call_sub_agent", "run_shell_command"]' })),
        say(call('call_sub_agent', { task: 'inner', tools: '["run_shell_command"]' })),
        say(call('run_shell_command', { command: `(setsid ${sleepCommand} &); ${sleepCommand}` })),
      );
      await window.send('go');
      // The user must allow tools that act at each level, and then the command itself.
      for (const tool of ['call_sub_agent', 'call_sub_agent', 'run_shell_command']) {
        const run = window.call(tool).last().getByRole('button', { name: 'Run', exact: true }).last();
        await run.click();
      }
      await until(async () => String(runningCommandLines().length), /^[1-9]/);
      assert.deepEqual([0, 1, 2].map(taskOf), ['go', 'outer', 'inner']);
      await window.button('Stop').click();
      await window.idle();
      await until(async () => String(runningCommandLines().length), /^0$/);
      assert.equal(endpoint.requests.length, 3);
      await eventually(async () =>
        assert.equal(await window.log.getByText('Running', { exact: true }).count(), 0),
      );

      await window.startNew();
      endpoint.reset();
      endpoint.next(
        say(call('call_sub_agent', { task: 'outer' })),
        streamForever('word ', () => (isClosed = true)),
      );
      await window.send('go');
      await window.call('call_sub_agent').getByText('word word').waitFor();
      await window.button('Stop').click();
      await window.idle();
      await until(async () => String(isClosed), /true/);
    });
  });
});
