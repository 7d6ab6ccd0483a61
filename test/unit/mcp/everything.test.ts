import { deepEqual, equal, match } from 'node:assert/strict';
import { eventually } from '../../support/eventually';
import { EVERYTHING_SERVER, McpHarness, programServer } from '../../support/servers/mcp-harness';
import { letTimePass } from '../../support/turns';

describe('a real server with everything, over its standard input and output', () => {
  let harness: McpHarness;

  before(async function () {
    this.timeout(60_000);
    harness = await McpHarness.create();
    await harness.start(programServer('everything', EVERYTHING_SERVER, 'stdio'));
  });
  after(() => harness.dispose());

  it('runs, with its tools under unique names', () => {
    deepEqual(harness.servers.get('everything')?.state, { type: 'running', changed: [] });
    const names = harness.servers.tools().map(({ spec }) => spec.name);
    for (const name of ['mcp_everything_echo', 'mcp_everything_get-sum'])
      equal(names.includes(name), true, names.join());
    equal(
      harness.servers.tools().every(({ effect }) => effect === 'execute'),
      true,
    );
  });

  it('calls a tool', async () => {
    match((await harness.call('mcp_everything_echo', { message: 'hello' })).text, /hello/);
    match((await harness.call('mcp_everything_get-sum', { a: 2, b: 3 })).text, /5/);
  });

  it('reports invalid arguments before anything is sent', async () => {
    match(await harness.failure('mcp_everything_get-sum', { a: 2 }), /"?b"?.*missing/i);
    match(
      await harness.failure('mcp_everything_get-sum', { a: 'two', b: 3 }),
      /"a" must be number, not "two"/,
    );
  });

  it('hands on images, links and structured content', async () => {
    const image = await harness.call('mcp_everything_get-tiny-image', {});
    equal(image.images?.[0]?.mediaType, 'image/png');
    match((await harness.call('mcp_everything_get-resource-links', { count: 2 })).text, /\[resource /);
    match(
      (await harness.call('mcp_everything_get-structured-content', { location: 'New York' })).text,
      /temperature/,
    );
  });

  it('shows progress', async () => {
    await harness.call('mcp_everything_trigger-long-running-operation', { duration: 1, steps: 3 });
    equal(
      harness.log.filter((line) => line.startsWith('output: ')).length >= 2,
      true,
      harness.log.join('\n'),
    );
  });

  it('stops a call', async () => {
    const stop = new AbortController();
    const calling = harness.call(
      'mcp_everything_trigger-long-running-operation',
      { duration: 30, steps: 30 },
      stop.signal,
    );
    void letTimePass(300).then(() => stop.abort());
    await calling.then(
      () => Promise.reject(new Error('It was not stopped.')),
      () => undefined,
    );
    match((await harness.call('mcp_everything_echo', { message: 'still there' })).text, /still there/);
  });

  it('G24.roots: tells the server the folders of the workspace and nothing else', async () => {
    harness.changeRoots([{ uri: 'file:///projects/space', name: 'space' }]);
    const roots = async (): Promise<string> => {
      const { text } = await harness.call('mcp_everything_get-roots-list', {});
      return (text.match(/file:\/\/[^\s"]*/g) ?? []).join();
    };
    await eventually(async () => (await roots()) === 'file:///projects/space');
  });

  it('G24.elicitation: shows a plain form and hands the answer on', async () => {
    harness.answer = () => Promise.resolve({ action: 'accept', content: { name: 'Ada', check: true } });
    const { text } = await harness.call('mcp_everything_trigger-elicitation-request', {});
    match(text, /Ada/);
    const [form] = harness.forms;
    equal(
      form?.fields.some(({ key, kind }) => key === 'name' && kind.type === 'text'),
      true,
    );
  });

  it('G24.sampling: offers the server no model', () => {
    const names = harness.servers.tools().map(({ spec }) => spec.name);
    // It registers this tool only for clients that sample.
    equal(names.includes('mcp_everything_trigger-sampling-request'), false);
  });

  it('gets prompts and resources', async () => {
    const server = harness.servers.get('everything');
    const { signal } = new AbortController();
    const [resource] = server?.offer.resources ?? [];
    equal((await server?.readResource(resource?.uri ?? '', signal))?.contents.length, 1);
    const prompt = server?.offer.prompts.find(({ name }) => name.includes('simple'));
    equal(((await server?.getPrompt(prompt?.name ?? '', {}, signal))?.messages.length ?? 0) > 0, true);
  });
});
