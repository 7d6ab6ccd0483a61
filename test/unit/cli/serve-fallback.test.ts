import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { native } from '../../../src/protocols/native/native';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { GatewayProcess } from '../../support/processes/gateway-process';
import { runCli } from '../../support/processes/run-cli';
import {
  answerWith,
  breakOff,
  FakeEndpoint,
  streamParts,
  type EndpointReply,
} from '../../support/servers/fake-endpoint';
import { llamaCpp } from '../../support/servers/recorded-answers';

const CALL = { type: 'call', call: { id: 'k', name: 'look', arguments: {} } } as const;
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];

const failing = (status: number, message: string, headers: Record<string, string> = {}): EndpointReply => {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(
      JSON.stringify({ error: { message, ...(status === 429 && { code: 'insufficient_quota' }) } }),
    );
  };
};

/** `instead`: whether the second model answers. */
const rows: readonly { name: string; reply: EndpointReply; instead: boolean; tools?: boolean }[] = [
  { name: 'an error of the server', reply: failing(500, 'out of memory'), instead: true },
  { name: 'a gateway that gave up', reply: failing(504, 'upstream gone'), instead: true },
  { name: 'a connection that broke', reply: (response) => void response.destroy(), instead: true },
  { name: 'a limit that waiting does not lift', reply: failing(429, 'quota of the month'), instead: true },
  {
    name: 'a limit that waiting lifts',
    reply: answerWith(429, 'application/json', '{"error":{"message":"slow down, retry in 7 seconds"}}'),
    instead: false,
  },
  { name: 'a request that is wrong', reply: failing(400, 'temperature must be at most 2'), instead: false },
  { name: 'a key that is wrong', reply: failing(401, 'no such key'), instead: false },
  {
    name: 'a reply that broke off',
    reply: breakOff(native, [{ type: 'text', text: 'A long answer.' }]),
    instead: false,
  },
  { name: 'a call that broke off', reply: breakOff(native, [CALL]), instead: false, tools: true },
];

describe('another model behind the gateway', () => {
  let folder: string;
  let endpoints: readonly FakeEndpoint[];
  let gateway: GatewayProcess;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-fallback-'));
    endpoints = [await FakeEndpoint.start(), await FakeEndpoint.start()];
    gateway = await GatewayProcess.start(profiles({}, { protocol: 'vcp' }));
  });
  beforeEach(() => endpoints.forEach((each) => each.reset()));
  after(async () => {
    await gateway.stop();
    await Promise.all(endpoints.map((each) => each.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** The options that name a profile for each endpoint. */
  function profiles(...more: readonly object[]): string[] {
    return more.flatMap((fields, at) => {
      const file = path.join(folder, `${at}.json`);
      const baseUrl = endpoints[at]?.baseUrl;
      writeFileSync(file, JSON.stringify({ provider: 'openai', baseUrl, model: `model-${at}`, ...fields }));
      return ['--profile', file];
    });
  }

  const ask = async (path: string, body: object): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${gateway.baseUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.token}` },
      body: JSON.stringify({ model: 'm', max_tokens: 99, ...body }),
    });
    return { status: response.status, text: await response.text() };
  };
  const messages = [{ role: 'user', content: 'Go.' }];
  const ways = [
    { way: 'without tools', path: 'chat/completions', body: { messages } },
    { way: 'with tools', path: 'chat/completions', body: { messages, tools: TOOLS } },
    { way: 'of Responses', path: 'responses', body: { input: 'Go.' } },
    { way: 'of Messages', path: 'messages', body: { messages } },
  ];

  for (const { name, reply, instead, tools = false } of rows) {
    for (const { way, path: route, body } of tools ? ways.slice(1, 2) : ways) {
      for (const stream of [false, true]) {
        it(`${instead ? 'answers' : 'does not answer'} after ${name}, ${way}, ${stream ? 'streamed' : 'whole'}`, async () => {
          const [first, second] = endpoints;
          first!.always(() => reply);
          const { status, text } = await ask(route, { ...body, stream });
          assert.equal(text.includes('All don'), instead, text);
          assert.equal(second!.requests.length, instead ? 1 : 0);
          if (instead) assert.equal(status, 200);
          else assert.match(text, /error/);
        });
      }
    }
  }

  it('is asked in its own protocol, and named in the log with what the first said', async () => {
    const [first, second] = endpoints;
    first!.always(() => failing(500, 'out of memory'));
    second!.next(streamParts(vcp, [CALL]));
    const { text } = await ask('chat/completions', { messages, tools: TOOLS });
    assert.match(text, /"name":"look"/);
    assert.equal(second!.requests[0]?.body.tools, undefined);
    assert.match(gateway.log, /out of memory[^]*"model-1" answers instead\./);
  });

  it('gets no key of the first, and its server is asked about itself when it is needed', async () => {
    const [first, second] = endpoints;
    first!.always(() => failing(500, 'out of memory'));
    second!.metadata = llamaCpp(8192, true);
    const options = ['--workspace', folder, '--json', ...profiles({ timeouts: { total: 1 } }, {}), 'go'];
    const { stdout } = await runCli(['run', ...options], '', { PARLEY_API_KEY: 'key-one' });
    assert.match(stdout, /"code":"fallback"/);
    assert.equal(first!.requests[0]?.headers.authorization, 'Bearer key-one');
    assert.equal(second!.requests[0]?.headers.authorization, undefined);
    assert.ok(second!.metadataRequests.includes('GET /props'), second!.metadataRequests.join());
    assert.match(stdout, /All done\./);
  });
});
