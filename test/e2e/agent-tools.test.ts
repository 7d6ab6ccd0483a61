import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { JsonObject } from '../../src/base/json';
import { findProtocol } from '../../src/protocols';
import { Endpoint, streamParts } from '../support/endpoint';
import { ParleyWindow, until } from './parley-window';

const QUESTION = 'Which colour shall it be?';

describe('tools of the agent itself', () => {
  let endpoint: Endpoint;
  let window: ParleyWindow;
  let home: string;

  before(async () => {
    endpoint = await Endpoint.start();
    // The skills of whoever runs this stay out of it.
    home = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
    window = await ParleyWindow.open({
      env: { HOME: home, USERPROFILE: home },
      files: { 'notes.txt': 'a plum' },
      settings: {
        'parley.model': 'local',
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
        'parley.toolCalling.protocol': 'native',
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

  /** The next reply holds these calls, the first with the id `call-0`. */
  function calls(...all: readonly (readonly [name: string, values: JsonObject])[]): void {
    const protocol = findProtocol('native');
    assert.ok(protocol);
    const parts = all.map(([name, values], index) => ({
      type: 'call' as const,
      call: { id: `call-${index}`, name, arguments: values },
    }));
    endpoint.next(streamParts(protocol, parts));
  }

  /** What the second request says about the results of the first one's calls. */
  function results(): readonly string[] {
    const messages = endpoint.requests[1]?.body.messages as readonly { role: string; content: string }[];
    return messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  }

  function answerBox(call: Locator = window.call('ask_user')): Locator {
    return call.getByRole('textbox', { name: 'Your answer' });
  }

  it('waits for an answer, and a button gives it', async () => {
    calls(['ask_user', { question: QUESTION, options: ['red', 'blue'] }]);
    await window.send('paint it');
    await window.call('ask_user').getByRole('button', { name: 'blue', exact: true }).click();
    await window.idle();
    assert.deepEqual(results(), ['blue']);
    await window.call('ask_user').getByText('blue', { exact: true }).waitFor();
  });

  it('takes words of the user, by the keyboard alone', async () => {
    calls(['ask_user', { question: QUESTION, options: ['red'] }]);
    await window.send('paint it');
    const option = window.call('ask_user').getByRole('button', { name: 'red', exact: true });
    await option.and(window.page.locator(':enabled')).waitFor();
    // The message box is empty and gives the focus to the call: one Tab for the button, one for the box.
    const { keyboard } = window.workbench.page;
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type('as green as grass');
    await keyboard.press('Enter');
    await window.idle();
    assert.deepEqual(results(), ['as green as grass']);
  });

  it('keeps two questions apart, also over a reload of the chat', async () => {
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
    assert.equal(await answerBox().count(), 0);
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
    assert.deepEqual(await items.allInnerTexts(), ['Done:\nLook', 'In progress:\nChange']);
    assert.deepEqual(results(), ['The todo list has 2 items: 1 completed, 1 in progress, 0 pending.']);
    await window.startNew();
    await items.first().waitFor({ state: 'detached' });
  });

  it('offers skills once there are some, lists them, and loads one', async () => {
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
      `Skill letters of the user. Files that it names lie in ${mine}; read them with read_file.\n\nDo letters.`,
      'Skill forms of the workspace. Files that it names lie in .claude/skills/forms; read them with read_file.\nArguments: all\n\nDo forms.',
    ]);
    await until(() => window.tool('call_skill').innerText(), /reads/);
  });

  /** The tree draws only the rows in sight. */
});
