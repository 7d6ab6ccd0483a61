import { deepEqual, equal, match, notDeepEqual, rejects } from 'node:assert/strict';
import type { Caller, Tool } from '../../../src/core/words/tool';
import type { Grant } from '../../../src/core/words/verdict';
import { prepareCall } from '../../support/agent/prepare-call';
import { runContext } from '../../support/agent/run-context';
import { FakeMcpServer, type McpAnswers } from '../../support/servers/fake-mcp-server';
import { McpHarness } from '../../support/servers/mcp-harness';

const inputSchema = { type: 'object' };
const { signal } = new AbortController();

describe('the resources and tools of a server, as calls ask for them', () => {
  let server: FakeMcpServer;
  let harness: McpHarness;
  let listed: { tools: object[]; resources: object[]; resourceTemplates: object[] };

  const answers: McpAnswers = {
    'tools/list': () => ({ tools: listed.tools }),
    'tools/call': () => ({ content: [{ type: 'resource_link', uri: 'notes://linked', name: 'linked' }] }),
    'resources/list': () => ({ resources: listed.resources }),
    'resources/templates/list': () => ({ resourceTemplates: listed.resourceTemplates }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: `content of ${JSON.stringify(uri)}` }] }),
  };

  beforeEach(async () => {
    listed = {
      tools: [
        { name: 'find', inputSchema },
        { name: 'other', inputSchema },
      ],
      resources: [
        { uri: 'notes://a', name: 'a' },
        { uri: 'notes://b', name: 'b' },
      ],
      resourceTemplates: [{ uriTemplate: 'notes://by-day/{day}', name: 'day' }],
    };
    server = await FakeMcpServer.start(answers);
    harness = await McpHarness.create();
    await harness.start(server.configured());
  });
  afterEach(async () => {
    await harness.dispose();
    await server.http.stop();
  });

  const find = (name: string): Tool => harness.tool(name);
  const prepare = (uri: string, caller: Caller) =>
    prepareCall(find('read_resource'), { server: 'remote', uri }, signal, caller);
  const verdict = async (uri: string, caller: Caller) => (await prepare(uri, caller)).accesses[0]?.verdict;
  const read = async (uri: string, caller: Caller) => (await prepare(uri, caller)).run(runContext(signal));
  const decisions = async (caller: Caller) => {
    const uris = ['notes://a', 'notes://b', 'notes://linked', 'notes://by-day/1'];
    return Promise.all(uris.map(async (uri) => (await verdict(uri, caller))?.decision));
  };

  it('asks once per conversation for what the server lists or has linked to, and each time for the rest', async () => {
    const caller: Caller = {};
    await read('notes://by-day/1', caller);
    deepEqual(await decisions(caller), ['ask', 'ask', 'ask', 'ask']);
    equal((await read('notes://a', caller)).text, 'content of "notes://a"');
    deepEqual(await decisions(caller), ['auto', 'auto', 'ask', 'ask']);
    await (await prepareCall(find('mcp_remote_find'), {}, signal, caller)).run(runContext(signal));
    deepEqual(await decisions(caller), ['auto', 'auto', 'auto', 'ask']);
    // A summary or a rewind does not begin another conversation.
    deepEqual(await decisions({ before: caller }), ['auto', 'auto', 'auto', 'ask']);
    deepEqual(await decisions({}), ['ask', 'ask', 'ask', 'ask']);
  });

  it('asks again if the first call was not let through', async () => {
    const caller: Caller = {};
    await prepare('notes://a', caller);
    equal((await verdict('notes://a', caller))?.decision, 'ask');
  });

  it('takes a link of another server for any other address', async () => {
    const other = await FakeMcpServer.start({ ...answers, 'resources/list': () => ({ resources: [] }) });
    try {
      await harness.start(server.configured(), other.configured({}, 'other'));
      const caller: Caller = {};
      await read('notes://a', caller);
      await (await prepareCall(find('mcp_other_find'), {}, signal, caller)).run(runContext(signal));
      equal((await verdict('notes://linked', caller))?.decision, 'ask');
    } finally {
      await other.http.stop();
    }
  });

  it('shows the templates in its description, and names the servers', async () => {
    match(find('read_resource').spec.description, /Server remote:\n- template notes:\/\/by-day\/\{day\}\n/);
    await rejects(prepareCall(find('read_resource'), { server: 'x', uri: 'y' }), /Choose one of: remote\./);
  });

  it('is not there if no server has resources', async () => {
    listed = { ...listed, resources: [], resourceTemplates: [] };
    await harness.servers.get('remote')?.startAnew();
    equal(
      harness.servers.tools().some(({ spec }) => spec.name === 'read_resource'),
      false,
    );
  });

  const args = { server: 'remote', uri: 'notes://a' };
  const wider = async (name: string): Promise<Grant | undefined> =>
    (await prepareCall(find(name), args, signal)).accesses[0]?.verdict.wider;

  it('offers to allow all tools of a server, resources with them', async () => {
    const grant = await wider('mcp_remote_find');
    equal(grant?.type, 'mcp-server-in-session');
    deepEqual(await wider('mcp_remote_other'), grant);
    deepEqual((await verdict('notes://a', {}))?.wider, grant);
    equal((await verdict('notes://by-day/1', {}))?.wider, undefined);
  });

  const changes: readonly { readonly name: string; readonly tools: () => object[] }[] = [
    { name: 'another description', tools: () => [{ name: 'find', inputSchema, description: 'Deletes.' }] },
    { name: 'another schema', tools: () => [{ name: 'find', inputSchema: { ...inputSchema, title: 'x' } }] },
    { name: 'a new tool', tools: () => [...listed.tools, { name: 'delete', inputSchema }] },
  ];
  for (const { name, tools } of changes) {
    it(`does not cover a server with ${name}, nor offers that before a review`, async () => {
      const remote = harness.servers.get('remote');
      const grant = await wider('mcp_remote_find');
      listed = { ...listed, tools: tools() };
      await remote?.startAnew();
      deepEqual([await wider('mcp_remote_find'), await wider('read_resource')], [undefined, undefined]);
      await remote?.acceptChanges(remote.difference().after);
      const now = await wider('mcp_remote_find');
      equal(now?.type, 'mcp-server-in-session');
      notDeepEqual(now, grant);
    });
  }
});
