import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { RenderedPart } from '../../src/core/words/protocol';
import { native } from '../../src/protocols/native/native';
import { vcp } from '../../src/protocols/vcp/vcp';
import { FakeEndpoint, streamParts, streamText } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

let calls = 0;
function call(name: string, values: Readonly<Record<string, string | number>>): RenderedPart {
  return { type: 'call', call: { id: `id${++calls}`, name, arguments: values } };
}

const read = (): RenderedPart => call('read_file', { path: 'notes.txt' });
const say = (...parts: readonly RenderedPart[]) => streamParts(native, parts);

/** One agent for each field; `plain` has the default settings. */
const AGENTS = [
  { id: 'plain', name: 'Plain' },
  { id: 'off', name: 'Off', enabled: false },
  { id: 'manual', name: 'By hand', mode: 'manual' },
  {
    id: 'few',
    name: 'Few',
    defaultToolEnabled: false,
    toolToggles: { files: true, write_file: false },
  },
  { id: 'short', name: 'Short', maxIterations: 2 },
  { id: 'free', name: 'Free', requireConfirmation: false },
  { id: 'serial', name: 'Serial', parallelExecution: false },
  { id: 'recovers', name: 'Recovers', recovery: 'run' },
  { id: 'ignores', name: 'Ignores', recovery: 'text' },
  { id: 'strict', name: 'Strict', strictness: 'strict', protocol: 'vcp' },
  {
    id: 'reviewer',
    name: 'Reviewer',
    instructions: 'You review and nothing else.',
    protocol: 'xml',
    maxIterations: 1,
    toolToggles: { search_text: false },
  },
];

const LEAK = '<tool_call>\n{"name":"read_file","arguments":{"path":"notes.txt"}}\n</tool_call>';

describe('ToolCallConfig in the chat', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'a plum', 'list.txt': 'apples' },
      settings: {
        'parley.model': 'local',
        'parley.models': [profile],
        'parley.agents': AGENTS,
        'parley.toolCalling.toolsOnDemand': 'off',
        // Otherwise the conversation goes on in the form of a leaked call.
        'parley.toolCalling.protocol': 'native',
      },
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
    await window.pick('Agent', 'plain');
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const run = (tool: string): Locator => window.call(tool).getByRole('button', { name: 'Run', exact: true });
  const offered = (at = -1): string[] =>
    endpoint.requests.at(at)?.body.tools?.map((tool) => tool.function.name) ?? [];
  const told = (): string => JSON.stringify(endpoint.requests.at(-1)?.body.messages);
  async function ask(text: string): Promise<void> {
    await window.send(text);
    await window.idle();
  }

  it('enabled: without it the model just answers', async () => {
    await window.pick('Agent', 'off');
    await ask('hello');
    assert.deepEqual(offered(), []);
    assert.match(told(), /You have no tools/);
    await window.pick('Agent', 'plain');
    await ask('hello');
    assert.ok(offered().includes('read_file'));
  });

  it('mode: in manual every call waits, its arguments can be changed, and the model is informed', async () => {
    await window.pick('Agent', 'manual');
    endpoint.next(say(read(), call('read_folder', {})));
    await window.send('look');
    await run('read_folder').waitFor();
    const card = window.call('read_file');
    await card.getByRole('button', { name: 'Edit arguments' }).click();
    const form = card.getByRole('group', { name: 'Arguments' });
    await form.getByLabel('path').fill('list.txt');
    await form.getByRole('button', { name: 'Apply changes' }).click();
    await card.getByText('Changed', { exact: true }).waitFor();
    assert.equal(endpoint.requests.length, 1, 'nothing is sent before all calls are decided');
    const question = 'Run the call with your changes? Read list.txt';
    await run('read_file').click();
    await window.answer(question, 'Cancel');
    await run('read_file').and(window.page.locator(':enabled')).click();
    await window.answer(question, 'Run');
    await window.call('read_file').getByText('Done').waitFor();
    assert.equal(endpoint.requests.length, 1);
    await window.call('read_folder').getByRole('button', { name: 'Give a reason…' }).click();
    await window.call('read_folder').getByRole('textbox', { name: 'Reason' }).fill('not now');
    await window.call('read_folder').getByRole('textbox', { name: 'Reason' }).press('Enter');
    await window.idle();
    assert.match(told(), /The user changed these arguments.*path: \\"list\.txt\\".*apples/);
    assert.match(told(), /rejected this call and said: not now/);
  });

  it('toolToggles and defaultToolEnabled: what is offered', async () => {
    await window.pick('Agent', 'few');
    endpoint.next(say(call('write_file', { path: 'x', content: 'x' })));
    await ask('hello');
    assert.ok(offered().includes('read_file'));
    assert.ok(!offered().includes('write_file'));
    assert.ok(!offered().includes('run_shell_command'));
    assert.match(told(), /not executed.*agent \\"Few\\" may not use \\"write_file\\"/);
  });

  it('maxIterations: pauses, and continues with one click', async () => {
    await window.pick('Agent', 'short');
    endpoint.next(say(read()), say(call('read_file', { path: 'list.txt' })));
    await ask('look');
    await window.log.getByText('Paused after 2 rounds.').waitFor();
    assert.equal(endpoint.requests.length, 2);
    await window.button('Continue').click();
    await window.log.getByText('All done.').waitFor();
    assert.equal(endpoint.requests.length, 3);
    assert.match(told(), /apples/);
  });

  it('requireConfirmation: without it ordinary edits run unasked', async () => {
    const edit = (): RenderedPart => call('edit_file', { path: 'list.txt', old: 'apples', new: 'pears' });
    endpoint.next(say(edit()));
    await window.send('edit');
    await window.call('edit_file').getByRole('button', { name: 'Reject', exact: true }).waitFor();
    await window.button('Stop').click();
    await window.idle();
    await window.pick('Agent', 'free');
    endpoint.next(say(call('read_file', { path: 'list.txt' })), say(edit()));
    await ask('edit');
    assert.equal(await window.read('list.txt'), 'pears');
    await writeFile(path.join(window.folder, 'list.txt'), 'apples');
  });

  for (const [isParallel, most] of [
    [true, 2],
    [false, 1],
  ] as const) {
    it(`parallelExecution ${isParallel}: reads run ${isParallel ? 'side by side' : 'one after another'}`, async () => {
      await window.pick('Agent', isParallel ? 'plain' : 'serial');
      let open = 0;
      let seen = 0;
      const slow: ReturnType<typeof say> = async (response, promptTokens) => {
        seen = Math.max(seen, ++open);
        // By the time that one is shown as running, the other would have begun, too.
        await window.call('call_sub_agent').getByText('Running', { exact: true }).first().waitFor();
        if (isParallel) await eventually(() => seen === most);
        open--;
        await say({ type: 'text', text: 'found' })(response, promptTokens);
      };
      endpoint.next(
        say(call('call_sub_agent', { task: 'one' }), call('call_sub_agent', { task: 'two' })),
        slow,
        slow,
      );
      await ask('look');
      assert.equal(seen, most);
      assert.equal(endpoint.requests.length, 4);
    });
  }

  it('recovery: "ask" waits, "run" runs, "text" keeps it as text', async () => {
    await window.pick('Agent', 'plain');
    endpoint.next(streamText(LEAK));
    await window.send('look');
    await run('read_file').click();
    await window.idle();
    assert.match(told(), /a plum/);
    await window.pick('Agent', 'recovers');
    await window.startNew();
    endpoint.next(streamText(LEAK));
    await ask('look');
    assert.match(told(), /a plum/);
    await window.pick('Agent', 'ignores');
    await window.startNew();
    endpoint.next(streamText(LEAK));
    await ask('look');
    await eventually(async () => assert.equal(await window.call('read_file').count(), 0));
    assert.doesNotMatch(told(), /a plum/);
  });

  it('strictness and protocol: strict rejects calls that repair fixes', async () => {
    const [block] = vcp.renderReply([read()]);
    assert.ok(block?.type === 'text');
    const unclosed = block.text.replace('「末」\n<<<[END', '\n<<<[END');
    assert.notEqual(unclosed, block.text);
    await window.pick('Agent', 'strict');
    endpoint.next(streamText(unclosed));
    await ask('look');
    assert.match(told(), /not executed/);
    assert.match(endpoint.requests[0]?.body.messages[0]?.content ?? '', /TOOL_REQUEST/);
  });

  it('agents: have instructions and may override any field', async () => {
    await window.pick('Agent', 'reviewer');
    endpoint.next(streamText('<tool_code>{"name":"read_file","arguments":{"path":"notes.txt"}}</tool_code>'));
    await ask('look');
    await window.log.getByText('Paused after 1 round.').waitFor();
    const [system] = endpoint.requests[0]?.body.messages ?? [];
    assert.match(system?.content ?? '', /You review and nothing else\./);
    assert.match(system?.content ?? '', /<tool_code>/);
    assert.doesNotMatch(system?.content ?? '', /"name":"search_text"/);
  });

  it('agents: "ask" gets only tools that read', async () => {
    await window.pick('Agent', 'ask');
    endpoint.next(say(call('run_shell_command', { command: 'ls' })));
    await ask('look');
    assert.ok(offered().includes('read_file'));
    assert.ok(!offered().includes('write_file'));
    assert.match(told(), /The agent \\"Ask\\" may not use \\"run_shell_command\\"/);
  });

  describe('each branch of an execution', () => {
    const rows: { name: string; call: RenderedPart; told: RegExp }[] = [
      { name: 'no such tool', call: call('fly', {}), told: /not executed.*\\"fly\\"/ },
      {
        name: 'no such method of a toolset',
        call: call('files_fly', {}),
        told: /not executed.*\\"files_fly\\"/,
      },
      {
        name: 'wrong arguments',
        call: call('read_file', { path: 'notes.txt', wings: 2 }),
        told: /not executed.*wings/,
      },
      { name: 'the qualified name', call: call('files_readFile', { path: 'notes.txt' }), told: /a plum/ },
      {
        name: 'a failure of the tool',
        call: call('read_file', { path: 'nothing.txt' }),
        told: /nothing\.txt/,
      },
      {
        name: 'a refused path',
        call: call('write_file', { path: '../x', content: 'x' }),
        told: /is refused: outside the workspace/,
      },
    ];
    for (const row of rows) {
      it(row.name, async () => {
        endpoint.next(say(row.call));
        await ask('go');
        assert.match(told(), row.told);
      });
    }

    it('a rejection by the user', async () => {
      endpoint.next(say(call('run_shell_command', { command: 'touch made.txt' })));
      await window.send('go');
      await window.call('run_shell_command').getByRole('button', { name: 'Reject', exact: true }).click();
      await window.idle();
      assert.match(told(), /the user rejected this call/);
      await assert.rejects(window.read('made.txt'));
    });

    it('a time limit', async () => {
      endpoint.next(say(call('run_shell_command', { command: 'sleep 60', timeout_s: 1 })));
      await window.send('go');
      await run('run_shell_command').click();
      await window.idle();
      assert.match(told(), /Timed out after 1(\.\d)? s/);
    });

    it('a stop', async () => {
      endpoint.next(say(call('run_shell_command', { command: 'sleep 60' })));
      await window.send('go');
      await run('run_shell_command').click();
      await window.call('run_shell_command').getByText('Running').waitFor();
      await window.button('Stop').click();
      await window.idle();
      await until(() => window.log.innerText(), /Stopped\./);
      assert.equal(endpoint.requests.length, 1);
    });
  });
});

describe('ToolCallConfig in the user settings', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  const told = (): string => JSON.stringify(endpoint.requests.at(-1)?.body.messages);

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'a plum', 'list.txt': 'apples' },
      settings: {
        'parley.model': 'local',
        'parley.models': [profile],
        'parley.toolCalling.requireConfirmation': false,
        'parley.toolCalling.protocol': 'native',
        'parley.toolCalling.recovery': 'run',
        'parley.toolCalling.maxIterations': 3,
        'parley.toolCalling.defaultToolEnabled': false,
        'parley.toolCalling.toolToggles': { files: true, write_file: false },
        'parley.budget.tokens': 80,
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
  });

  it('decides which tools there are, and lets edits and recovered reads run', async () => {
    endpoint.promptTokens = 12;
    endpoint.next(
      streamText(LEAK),
      say(call('edit_file', { path: 'list.txt', old: 'apples', new: 'pears' }), call('write_file', {})),
    );
    await window.send('go');
    await window.idle();
    await window.log.getByText('Paused after 92 tokens.').waitFor();
    assert.match(told(), /a plum/);
    assert.deepEqual(
      endpoint.requests[0]?.body.tools?.filter(
        (tool) => !/read|edit|find|search|move|delete|load_tools|call_tool/.test(tool.function.name),
      ),
      [],
    );
    await eventually(async () => assert.match(await window.log.innerText(), /switched off/));
    assert.equal(await window.read('list.txt'), 'pears');
  });

  it('lets the workspace turn tools off', async () => {
    await mkdir(path.join(window.folder, '.vscode'), { recursive: true });
    await writeFile(
      path.join(window.folder, '.vscode/settings.json'),
      '{ "parley.toolCalling.enabled": false, "parley.toolCalling.protocol": "vcp" }',
    );
    await window.page.getByRole('option', { name: 'Auto (VCP)' }).waitFor({ state: 'attached' });
    await window.send('go');
    await window.idle();
    assert.match(told(), /You have no tools/);
  });
});
