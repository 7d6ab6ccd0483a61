import assert from 'node:assert/strict';
import { answerWith, Endpoint, streamText } from '../support/endpoint';
import { ParleyWindow, until } from './parley-window';

const LEAK = 'Let me look.\n<tool_call>\n{"name":"read_file","arguments":{"path":"notes.txt"}}\n</tool_call>';

describe('models that do not keep to the protocol', () => {
  let endpoint: Endpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await Endpoint.start();
    const profile = { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'qwen3:8b' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'a plum' },
      settings: { 'parley.model': 'local', 'parley.models': [profile] },
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
    await window.pick('Protocol', 'auto');
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  it('asks about a call that a server leaked as text, runs it, and offers the protocol it was written in', async () => {
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

  it('offers a text protocol when the endpoint takes no tools', async () => {
    endpoint.next(
      answerWith(400, 'application/json', '{"error":{"message":"qwen3:8b does not support tools"}}'),
    );
    await window.send('hello');
    await until(() => window.log.getByRole('alert').innerText(), /takes no native tools/);
    await window.button('Use Hermes').click();
    await window.send('hello');
    await window.idle();
    assert.match(endpoint.requests.at(-1)?.body.messages[0]?.content ?? '', /<tool_call>/);
  });
});
