import { deepEqual, equal } from 'node:assert/strict';
import { limits } from '../../../src/base/limits';
import { eventually } from '../../support/eventually';
import { McpHarness } from '../../support/servers/mcp-harness';
import { SseMcpServer } from '../../support/servers/sse-mcp-server';

describe('a server of the older protocol with server-sent events', () => {
  let harness: McpHarness;
  let server: SseMcpServer;

  const begin = async (mayBeSse = true, refusal?: number): Promise<void> => {
    harness = await McpHarness.create();
    server = await SseMcpServer.start(refusal);
    await harness.start(server.configured(mayBeSse));
  };
  const state = () => harness.servers.get('old')?.state;

  afterEach(async () => {
    await harness.dispose();
    await server.stop();
  });

  for (const refusal of [400, 404, 405]) {
    it(`is used after it refused Streamable HTTP with ${refusal}, with the headers of its definition`, async () => {
      await begin(true, refusal);
      deepEqual(state(), { type: 'running', changed: [] });
      equal((await harness.call('mcp_old_echo', { plum: 3 })).text, '{"plum":3}');
      equal(server.requests[0], 'POST /sse');
      equal(server.requests.includes('GET /sse'), true);
      deepEqual(new Set(server.keys), new Set(['key']));
    });
  }

  it('is not tried if its type is http', async () => {
    await begin(false);
    equal(state()?.type, 'failed');
    equal(server.requests.includes('POST /messages?session=1'), false);
  });

  const breaks: Readonly<Record<string, () => void>> = {
    'sends an event that is larger than a message may be': () =>
      server.send(`event: message\ndata: ${'x'.repeat(limits.mcpFrameBytes + 1)}`),
    'ends its stream': () => server.endStream(),
  };
  for (const [what, act] of Object.entries(breaks)) {
    it(`is started anew when it ${what}`, async () => {
      await begin();
      act();
      await eventually(() => state()?.type === 'restarting');
      await eventually(() => state()?.type === 'running');
      equal((await harness.call('mcp_old_echo', {})).text, '{}');
    });
  }

  it('can be stopped', async () => {
    await begin();
    await harness.servers.get('old')?.stop();
    deepEqual([state()?.type, harness.servers.tools().length], ['stopped', 0]);
  });
});
