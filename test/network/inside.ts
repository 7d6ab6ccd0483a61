import assert from 'node:assert/strict';
import { createTransport } from '../../src/node/endpoint/transport';

/** Entry point in the extension host: sends two requests through the transport, with VS Code's proxy settings. */
export async function run(): Promise<void> {
  // This name is reachable only through the proxy, and the settings exclude it from the proxy.
  await assert.rejects(createTransport()('https://direct.parley.test/v1/models', {}));
  const response = await createTransport()('https://api.parley.test/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer sk-canary-company' },
    body: '{}',
  });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /All done\./);
}
