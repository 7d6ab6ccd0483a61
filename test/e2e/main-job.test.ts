import assert from 'node:assert/strict';
import type { RenderedPart } from '../../src/core/words/protocol';
import { findProtocol } from '../../src/protocols';
import {
  answerWith,
  FakeEndpoint,
  streamForever,
  streamParts,
  streamText,
} from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

const LEAK = 'Let me look.\n<tool_call>\n{"name":"read_file","arguments":{"path":"fruit.txt"}}\n</tool_call>';

const NOTES = 'a list\r\nof things  \r\n\tlast line without end';

describe('main job', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { provider: 'openai', baseUrl: endpoint.baseUrl };
    window = await ParleyWindow.open({
      files: { 'notes.txt': NOTES, 'fruit.txt': 'a plum' },
      // Tall enough for the output panel to show all expected lines.
      viewport: { width: 1280, height: 1600 },
      settings: {
        'parley.models': [
          { ...profile, id: 'local', name: 'Local', model: 'test-model' },
          { ...profile, id: 'qwen', model: 'qwen3:8b' },
        ],
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

  it('edits a file on the demo model after Run was pressed', async () => {
    await window.pick('Model', 'demo');
    await window.send("read notes.txt then replace 'things' with 'stones' in notes.txt");
    await window.call('edit_file').getByRole('button', { name: 'Run', exact: true }).waitFor();
    assert.equal(await window.read('notes.txt'), NOTES);
    await window.call('edit_file').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    assert.equal(await window.read('notes.txt'), NOTES.replace('things', 'stones'));
    await eventually(async () => assert.match(await window.log.innerText(), /Done\./));
  });

  for (const id of ['native', 'vcp']) {
    it(`reads unasked, writes after Run and answers, over ${id} from a real endpoint`, async () => {
      const protocol = findProtocol(id);
      assert.ok(protocol);
      const content = `first 「末」 line\n\ttabbed "quoted" \\n <b>&amp;</b>\nlast, no newline (${id})`;
      const read: RenderedPart = {
        type: 'call',
        call: { id: 'r1', name: 'read_file', arguments: { path: 'notes.txt' } },
      };
      const write: RenderedPart = {
        type: 'call',
        call: { id: 'w1', name: 'write_file', arguments: { path: `${id}/new.txt`, content } },
      };
      endpoint.next(
        streamParts(protocol, [{ type: 'text', text: 'Let me look.' }, read]),
        streamParts(protocol, [write]),
        streamText('The file is **there** now.'),
      );
      await window.pick('Model', 'local');
      await window.pick('Protocol', id);
      await window.send('please write a file');
      const run = window.call('write_file').getByRole('button', { name: 'Run', exact: true });
      await run.waitFor();
      await assert.rejects(window.read(`${id}/new.txt`));
      await run.click();
      await window.idle();
      assert.equal(await window.read(`${id}/new.txt`), content);
      await window.log.getByText('The file is there now.').waitFor();

      assert.equal(endpoint.requests.length, 3);
      const [first, second] = endpoint.requests;
      assert.equal(first?.body.tools !== undefined, id === 'native');
      assert.match(JSON.stringify(second?.body.messages), /last line without end/);
      const output = await window.output(
        'Parley: Show Tool Calls',
        new RegExp(`${id} write_file[^]*status: success`),
      );
      assert.match(
        output,
        new RegExp(`${id} read_file \\(r1[^]*decision: unasked[^]*decision: run by the user`),
      );
    });
  }

  it('leaves the file alone after Reject and tells the model why', async () => {
    const protocol = findProtocol('native');
    assert.ok(protocol);
    const before = await window.read('notes.txt');
    endpoint.next(
      streamParts(protocol, [
        {
          type: 'call',
          call: {
            id: 'e1',
            name: 'write_file',
            arguments: { path: 'notes.txt', content: 'gone', overwrite: true },
          },
        },
      ]),
    );
    await window.pick('Model', 'local');
    await window.pick('Protocol', 'native');
    await window.send('overwrite my notes');
    await window.call('write_file').getByRole('button', { name: 'Reject', exact: true }).click();
    await window.idle();
    assert.equal(await window.read('notes.txt'), before);
    assert.match(JSON.stringify(endpoint.requests[1]?.body.messages), /the user rejected this call/);
  });

  it('does not ask again after edits were allowed in this session', async () => {
    await window.pick('Model', 'demo');
    await window.send('create one.txt with 1 then create two.txt with 2');
    await window.call('write_file').getByRole('button', { name: 'Allow edits in this session' }).click();
    await window.idle();
    assert.deepEqual([await window.read('one.txt'), await window.read('two.txt')], ['1', '2']);
  });

  it('runs a command after Run and shows its output', async () => {
    await window.pick('Model', 'demo');
    await window.send('run echo parley-$((40+2))');
    await window.call('run_shell_command').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    await eventually(async () => assert.match(await window.log.innerText(), /parley-42/));
  });

  it('ends the run when Stop is pressed in mid-stream', async () => {
    const closed = new Promise<void>((resolve) => endpoint.next(streamForever('and on ', resolve)));
    await window.pick('Model', 'local');
    await window.send('talk');
    await window.log.getByText('and on and on').waitFor();
    await window.button('Stop').click();
    await closed;
    await window.idle();
    await eventually(async () => assert.match(await window.log.innerText(), /Stopped/));
  });

  it('shows the same conversation after the page was destroyed and created again', async () => {
    await window.pick('Model', 'demo');
    await window.send('list');
    await window.idle();
    const { page } = window.workbench;
    // Another view replaces the chat, which destroys its page.
    await page
      .getByRole('tab', { name: /^Explorer/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Parley' }).first().click();
    await window.reopenChat();
    await until(() => window.log.innerText(), /The last result was/);
    // The steps of a finished run are folded.
    await window.log.getByRole('button', { name: /^2 steps/ }).click();
    await until(() => window.log.innerText(), /I list the folder/);
    await eventually(async () => assert.equal(await window.call('read_folder').count(), 1));
  });

  describe('with a model that does not follow the protocol', () => {
    beforeEach(async () => {
      await window.pick('Model', 'qwen');
      await window.pick('Protocol', 'auto');
    });

    it('offers a text protocol when the endpoint does not support tools', async () => {
      endpoint.next(
        answerWith(400, 'application/json', '{"error":{"message":"qwen3:8b does not support tools"}}'),
      );
      await window.send('hello');
      await until(() => window.log.getByRole('alert').innerText(), /does not support native tools/);
      await window.button('Use Hermes').click();
      await window.send('hello');
      await window.idle();
      assert.match(endpoint.requests.at(-1)?.body.messages[0]?.content ?? '', /<tool_call>/);
    });

    it('asks about a call that a server leaked as text, runs it, and offers its protocol where another was picked', async () => {
      await window.pick('Protocol', 'native');
      endpoint.next(streamText(LEAK));
      await window.send('what do the notes say?');
      const call = window.call('read_file');
      await call.getByText('Recovered', { exact: true }).waitFor();
      await call.getByRole('button', { name: 'Run', exact: true }).click();
      await window.idle();
      assert.match(JSON.stringify(endpoint.requests.at(-1)?.body.messages), /a plum/);

      await window.button('Use Hermes').click();
      await window.button('Using Hermes').waitFor();
      await window.send('and now?');
      await window.idle();
      const last = endpoint.requests.at(-1)?.body;
      assert.equal(last?.tools, undefined);
      assert.match(JSON.stringify(last?.messages), /<tool_response>.*a plum/);
    });

    // What it learns of the model stays, so it comes last.
    it('goes on in the form that the model writes where none was picked', async () => {
      endpoint.next(streamText(LEAK));
      await window.send('what do the notes say?');
      await window.call('read_file').getByRole('button', { name: 'Run', exact: true }).click();
      await window.idle();
      await window.log.getByText('goes on with the protocol "hermes"').first().waitFor();
      const last = endpoint.requests.at(-1)?.body;
      assert.equal(last?.tools, undefined);
      assert.match(JSON.stringify(last?.messages), /<tool_response>.*a plum/);
    });
  });
});
