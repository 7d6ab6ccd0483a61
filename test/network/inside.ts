import assert from 'node:assert/strict';
import { createTransport } from '../../src/node/endpoint/transport';

/** What VS Code calls in the extension host: one request by the transport, over whatever its settings say. */
export async function run(): Promise<void> {
  const response = await createTransport()('https://api.parley.test/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer sk-canary-company' },
    body: '{}',
  });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /All done\./);
}
