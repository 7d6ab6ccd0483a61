import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json';
import type { Attachment } from '../../src/core/words/attachment';
import { attachedPrompt, attachedResource } from '../../src/host/services/mcp/attach-from-server';
import { mcpInChat, type McpInChat } from '../../src/host/services/mcp/mcp-in-chat';
import type { Form } from '../../src/mcp/form';
import type { FormAnswer } from '../../src/mcp/ports';
import { McpServers } from '../../src/mcp/servers';
import { readImage } from '../../src/node/files/images';
import { png } from '../support/images';
import { approvedSurroundings, FakeMcpServer } from '../support/servers/fake-mcp-server';

const PICTURE = png(2, 2).toString('base64');
const IMAGE = { mediaType: 'image/png', data: PICTURE } as const;

const CONTENTS: Readonly<Record<string, JsonObject>> = {
  'x:text': { uri: 'x:text', text: 'plain \u{e0041}text' },
  'x:large': { uri: 'x:large', text: 'y'.repeat(300 * 1024) },
  'x:picture': { uri: 'x:picture', mimeType: 'image/png', blob: PICTURE },
  'x:bytes': { uri: 'x:bytes', mimeType: 'application/zip', blob: 'AAAA' },
};

describe('attachments from MCP servers', () => {
  let remote: FakeMcpServer;
  let servers: McpServers;
  let chat: McpInChat | undefined;
  let asked: { server: string; form: Form }[];
  let answer: FormAnswer;
  let seesImages: boolean;
  let isAllowed: boolean;

  beforeEach(async () => {
    remote = await FakeMcpServer.start({
      'prompts/list': () => ({
        prompts: [
          { name: 'plain' },
          {
            name: 'trip',
            description: 'Plans a trip',
            arguments: [{ name: 'to', required: true }, { name: 'x' }],
          },
          { name: 'login', arguments: [{ name: 'api_key', required: true }] },
          { name: 'broken' },
        ],
      }),
      'prompts/get': ({ name, arguments: args }) => {
        if (name === 'broken') throw new Error('it is\u202e Sunday');
        // SAFETY: this prompt has this argument.
        const text = name === 'trip' ? `Go to ${(args as { to: string }).to}.` : 'Do it.';
        return {
          messages: [
            { role: 'user', content: { type: 'text', text } },
            ...(name === 'trip'
              ? []
              : [{ role: 'user', content: { type: 'image', mimeType: 'image/png', data: PICTURE } }]),
          ],
        };
      },
      'resources/list': () => ({ resources: [{ uri: 'x:text', name: 'Text' }] }),
      'resources/read': ({ uri }) => ({ contents: [typeof uri === 'string' ? CONTENTS[uri] : undefined] }),
    });
    asked = [];
    answer = { action: 'accept', content: { to: 'Rome' } };
    seesImages = true;
    isAllowed = true;
    const surroundings = approvedSurroundings({
      imageOf: (bytes) => {
        const facts = readImage(bytes);
        return facts && { mediaType: facts.mediaType, data: bytes.toString('base64') };
      },
      elicit: async (server, form) => {
        asked.push({ server, form });
        return answer;
      },
    });
    servers = new McpServers(surroundings);
    servers.update([remote.configured()]);
    await servers.start();
    chat = mcpInChat(servers, surroundings);
  });
  afterEach(async () => {
    await servers.end();
    await remote.http.stop();
  });

  const ports = () => ({
    mcp: async () => chat,
    model: { name: 'Small', seesImages },
    signal: new AbortController().signal,
  });
  const prompt = (command: string) => attachedPrompt(command, ports());
  const resource = (uri: string, server = 'remote') =>
    attachedResource(
      { type: 'resource', server, uri },
      { ...ports(), confirmResource: async ({ uri: named }) => isAllowed && named === uri },
    );
  const problem = (all: readonly Attachment[] | undefined): string => {
    const [only, ...more] = all ?? [];
    assert.deepEqual(more, []);
    assert.equal(only?.type, 'missing');
    return only.problem;
  };

  it('include a prompt with its images, named after its server', async () => {
    const label = '/mcp.remote.plain';
    assert.deepEqual(await prompt('mcp.remote.plain'), [
      {
        ...{ type: 'text', source: 'prompt', label },
        text: 'Prompt plain of the MCP server remote:\n\nDo it.\n\n[image 1: image/png]',
      },
      { type: 'image', label, image: IMAGE },
    ]);
    assert.deepEqual(asked, []);
  });

  it('ask for the required arguments of a prompt, and send nothing without them', async () => {
    const [said] = (await prompt('mcp.remote.trip')) ?? [];
    assert.ok(said?.type === 'text');
    assert.match(said.text, /Go to Rome\.$/);
    const [question] = asked;
    assert.equal(question?.server, 'remote');
    assert.equal(question.form.message, 'Plans a trip');
    assert.deepEqual(
      question.form.fields.map(({ key, isRequired }) => [key, isRequired]),
      [['to', true]],
    );
    for (const action of ['cancel', 'decline'] as const) {
      answer = { action };
      assert.equal(await prompt('mcp.remote.trip'), undefined);
    }
  });

  it('are cancelled when the message is stopped, which does not count as a server failure', async () => {
    const stop = new AbortController();
    const hung = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    const slow = chat && {
      ...chat,
      expandPrompt: (_prompt: unknown, _args: unknown, signal: AbortSignal) => hung(signal),
      readResource: (_server: string, _uri: string, signal: AbortSignal) => hung(signal),
    };
    const stoppable = { ...ports(), mcp: async () => slow, signal: stop.signal };
    const reading = [
      attachedPrompt('mcp.remote.plain', stoppable),
      attachedResource(
        { type: 'resource', server: 'remote', uri: 'x:text' },
        { ...stoppable, confirmResource: async () => true },
      ),
    ];
    setImmediate(() => stop.abort());
    for (const each of reading) await assert.rejects(each, { name: 'AbortError' });
  });

  it('never ask for a secret as a prompt argument', async () => {
    assert.match(problem(await prompt('mcp.remote.login')), /^The prompt asks for a secret/);
    assert.deepEqual(asked, []);
  });

  it('include an unlisted resource only if the user allows it', async () => {
    isAllowed = false;
    assert.match(problem(await resource('x:picture')), /^The server does not list it/);
    assert.equal((await resource('x:text')).length, 1);
    assert.match(problem(await resource('x:y', 'other')), /^The MCP server other is not running/);
  });

  it('include a resource as text or image, without hidden text', async () => {
    assert.deepEqual(await resource('x:text'), [
      { type: 'text', source: 'resource', label: 'remote: x:text', text: 'plain ⟨U+E0041⟩text' },
    ]);
    assert.deepEqual(await resource('x:picture'), [
      { type: 'image', label: 'remote: x:picture', image: IMAGE },
    ]);
  });

  it('say in one sentence what is missing, with the next step', async () => {
    assert.match(problem(await prompt('mcp.remote.nothing')), /^No running MCP server has this prompt\. /);
    assert.equal(
      problem(await prompt('mcp.remote.broken')),
      'The MCP server remote did not return it: it is⟨U+202E⟩ Sunday',
    );
    assert.equal(problem(await resource('x:large')), 'It has 300 KiB; the limit is 256 KiB.');
    assert.match(problem(await resource('x:bytes')), /^It contains no text and no supported image/);
    assert.match(problem(await resource('x:y', 'other')), /^The MCP server other is not running\. Start it/);
    seesImages = false;
    assert.match(problem(await resource('x:picture')), /^Small cannot read images/);
    await servers.get('remote')?.stop();
    assert.match(problem(await resource('x:text')), /^The MCP server remote is not running\. Start it/);
    chat = undefined;
    assert.match(problem(await resource('x:text')), /^The MCP server remote is not running\. Start it/);
  });
});
