import assert from 'node:assert/strict';
import { createTransport } from '../../src/node/endpoint/transport';

/** What VS Code calls in the extension host: two requests by the transport, over whatever its settings say. */
export async function run(): Promise<void> {
  // Nothing can be reached under this name but by the proxy, which the settings leave out for it.
  await assert.rejects(createTransport()('https://direct.parley.test/v1/models', {}));
  const response = await createTransport()('https://api.parley.test/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer sk-canary-company' },
    body: '{}',
  });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /All done\./);
}
