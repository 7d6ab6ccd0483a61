import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json';
import { limits } from '../../../../../src/base/limits';
import {
  completeResource,
  mcpInChat,
  type McpInChat,
} from '../../../../../src/host/services/mcp/mcp-in-chat';
import { McpServers } from '../../../../../src/mcp/servers';
import { readImage } from '../../../../../src/node/files/images';
import { png } from '../../../../support/images';
import {
  approvedSurroundings,
  FakeMcpServer,
  type McpAnswers,
} from '../../../../support/servers/fake-mcp-server';

const NEVER = new AbortController().signal;
const PICTURE = png(2, 2).toString('base64');

describe('prompts and resources of servers', () => {
  let started: FakeMcpServer[];
  let servers: McpServers;

  beforeEach(() => (started = []));
  afterEach(async () => {
    await servers.end();
    await Promise.all(started.map(({ http }) => http.stop()));
  });

  async function open(answers: Readonly<Record<string, McpAnswers>>): Promise<McpInChat> {
    const surroundings = approvedSurroundings({
      imageOf: (bytes) => {
        const facts = readImage(bytes);
        return facts && { mediaType: facts.mediaType, data: bytes.toString('base64') };
      },
    });
    servers = new McpServers(surroundings);
    const configured = [];
    for (const [name, each] of Object.entries(answers)) {
      const server = await FakeMcpServer.start(each);
      started.push(server);
      configured.push(server.configured({}, name));
    }
    servers.update(configured);
    await servers.start();
    return mcpInChat(servers, surroundings);
  }

  const listing = (...prompts: readonly JsonObject[]): McpAnswers => ({
    'prompts/list': () => ({ prompts }),
  });

  it('each have a command, with any name', async () => {
    const chat = await open({
      'my server': listing(
        {
          name: 'daily',
          description: 'What\n  is\u202e new',
          arguments: [{ name: 'day', required: true }, { name: 'x' }],
        },
        { name: 'a/b', title: 'Titled' },
        { name: 'a b' },
        { name: '日报' },
      ),
      other: listing({ name: 'x'.repeat(200) }),
    });
    const prompts = chat.prompts();
    const [daily, slash, blank, chinese, long] = prompts;
    assert.deepEqual(daily, {
      command: 'mcp.my_server.daily',
      server: 'my server',
      name: 'daily',
      description: 'What is⟨U+202E⟩ new',
      required: [{ name: 'day' }],
    });
    assert.equal(slash?.description, 'Titled');
    // Both would be the same: neither gets a name that the other may get next time.
    assert.match(slash.command, /^mcp\.my_server\.a_b_[0-9a-f]{6}$/);
    assert.match(blank?.command ?? '', /^mcp\.my_server\.a_b_[0-9a-f]{6}$/);
    assert.equal(chinese?.command, 'mcp.my_server.日报');
    assert.equal(long?.command.length, 100);
    assert.equal(new Set(prompts.map(({ command }) => command)).size, prompts.length);
  });

  it('stay within the limits', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);
    const chat = await open({
      a: {
        'prompts/list': () => ({ prompts: many(limits.mcpPrompts + 5).map((name) => ({ name })) }),
        'resources/list': () => ({
          resources: many(limits.mcpResources + 5).map((name) => ({ name, uri: `x:${name}` })),
        }),
      },
    });
    assert.equal(chat.prompts().length, limits.mcpPrompts);
    assert.equal(chat.resources().length, limits.mcpResources);
  });

  it("return the messages of a prompt, with their roles if not all are the user's", async () => {
    const said: JsonObject[] = [];
    const text = (role: string, text: string): JsonObject => ({ role, content: { type: 'text', text } });
    const chat = await open({
      a: {
        ...listing({ name: 'one' }, { name: 'both' }),
        'prompts/get': (params) => {
          said.push(params);
          return params['name'] === 'one'
            ? { messages: [text('user', 'Do it.')] }
            : {
                messages: [
                  text('user', 'See.'),
                  { role: 'user', content: { type: 'image', mimeType: 'image/png', data: PICTURE } },
                  text('assistant', 'I see.'),
                ],
              };
        },
      },
    });
    const [one, both] = chat.prompts();
    assert.ok(one && both);
    assert.deepEqual(await chat.expandPrompt(one, { a: 'b' }, NEVER), { text: 'Do it.', images: [] });
    assert.deepEqual(said[0]?.['arguments'], { a: 'b' });
    assert.deepEqual(await chat.expandPrompt(both, {}, NEVER), {
      text: 'user:\nSee.\n\nuser:\n[image 1: image/png]\n\nassistant:\nI see.',
      images: [{ mediaType: 'image/png', data: PICTURE }],
    });
  });

  it('return the content of a resource', async () => {
    const contents: Readonly<Record<string, readonly JsonObject[]>> = {
      'x:text': [{ uri: 'x:text', text: 'plain' }],
      'x:two': [
        { uri: 'x:a', text: 'A' },
        { uri: 'x:b', text: 'B' },
      ],
      'x:picture': [{ uri: 'x:picture', mimeType: 'image/png', blob: PICTURE }],
      'x:bytes': [{ uri: 'x:bytes', mimeType: 'application/zip', blob: 'AAAA' }],
      'x:none': [],
    };
    const chat = await open({
      a: {
        'resources/list': () => ({ resources: [{ uri: 'x:text', name: 'Text' }] }),
        'resources/read': ({ uri }) => ({ contents: typeof uri === 'string' ? contents[uri] : undefined }),
      },
    });
    const read = (uri: string) => chat.readResource('a', uri, NEVER);
    assert.deepEqual(chat.resources(), [{ server: 'a', uri: 'x:text', name: 'Text' }]);
    assert.deepEqual(await read('x:text'), { text: 'plain', images: [] });
    assert.equal((await read('x:two')).text, '[resource x:a]\nA\n\n[resource x:b]\nB');
    assert.deepEqual(await read('x:picture'), {
      text: '',
      images: [{ mediaType: 'image/png', data: PICTURE }],
    });
    assert.deepEqual(await read('x:bytes'), { text: '', images: [] });
    assert.deepEqual(await read('x:none'), { text: '', images: [] });
  });

  it('are those of servers that run', async () => {
    const chat = await open({ a: listing({ name: 'one' }) });
    const [one] = chat.prompts();
    assert.ok(one);
    await servers.get('a')?.stop();
    assert.deepEqual(chat.prompts(), []);
    await assert.rejects(chat.expandPrompt(one, {}, NEVER), { name: 'ToolError' });
    await assert.rejects(chat.readResource('b', 'x:y', NEVER), { name: 'ToolError' });
  });
});

describe('resources for a mention', () => {
  const RESOURCES = [
    { server: 'docs', uri: 'file:///guide.md', name: 'The guide' },
    { server: 'docs', uri: 'file:///b\u202e.md', name: 'Hidden' },
    { server: 'db', uri: 'table://"quoted"', name: 'Quoted' },
    { server: 'a:b', uri: 'x:y', name: 'Colon' },
    { server: 'db', uri: 'table://users', name: 'Users' },
  ];
  const rows = [
    { query: '', found: ['The guide', 'Users'] },
    { query: 'GUIDE', found: ['The guide'] },
    { query: 'db:tab', found: ['Users'] },
    { query: 'user', found: ['Users'] },
    { query: 'nothing', found: [] },
  ];
  for (const { query, found } of rows) {
    it(`are found for ${JSON.stringify(query)}, as far as they can be written as they look`, () => {
      assert.deepEqual(
        completeResource(query, RESOURCES).map(({ name }) => name),
        found,
      );
    });
  }

  it('are as many as a list shows', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ server: 'a', uri: `x:${at}`, name: String(at) }));
    assert.equal(completeResource('', many).length, limits.completionItems);
  });
});
