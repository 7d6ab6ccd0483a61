// What the gateway adds to a streamed reply, beside a proxy that only passes bytes on: how late a token is that a model takes
// its time for, and microseconds a token as fast as the server can write. The bar is 1.3 × the proxy's time a token: it holds
// at a model's speed (100 a second) and not at the server's. The first text may be later by one chunk at most. Upstream and
// client are in this process, gateway and proxy each in one of their own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { GatewayProcess } from '../support/gateway-process';

const TOKENS = 20_000;
const PACED = 150;
const PACE_MS = 10;
const ROUNDS = 5;
const TOOLS = [
  {
    type: 'function',
    function: { name: 'note', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
  },
];

const PROXY = `
const http = require('node:http');
const server = http.createServer((request, response) => {
  const { method, headers, url } = request;
  const sent = http.request(process.argv[1] + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  request.pipe(sent);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

async function main(): Promise<void> {
  const upstream = await startUpstream();
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const gateway = await GatewayProcess.start([
    '--base-url',
    `${origin}/v1`,
    '--model-name',
    'm',
    '--protocol',
    'hermes',
  ]);
  const proxy = spawn(process.execPath, ['-e', PROXY, origin], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await firstLine(proxy);
    const ways = [
      { name: 'proxy', url: `http://127.0.0.1:${port}/v1`, token: '' },
      { name: 'gateway', url: gateway.baseUrl, token: gateway.token },
    ];
    const rows = new Map(
      ways.map(({ name }) => [name, { token: [] as number[], late: [] as number[], first: [] as number[] }]),
    );
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { name, url, token } of ways) {
        const fast = await streamed(url, token, { tokens: TOKENS, paced: false });
        const paced = await streamed(url, token, { tokens: PACED, paced: true });
        // The first round warms up.
        if (round === 0) continue;
        rows.get(name)?.token.push((fast.ms * 1000) / TOKENS);
        rows.get(name)?.late.push(paced.late);
        rows.get(name)?.first.push(paced.first);
      }
    }
    console.log('             µs a token   ms a token is late   ms the first is late');
    for (const [name, { token, late, first }] of rows)
      console.log(`${name.padEnd(10)}${cell(token)}${cell(late)}${cell(first)}`);
    const [one, other] = ways.map(({ name }) => rows.get(name)!);
    const ratio = (count: (row: NonNullable<typeof one>) => number): string =>
      (count(other!) / count(one!)).toFixed(2);
    console.log(
      `gateway ÷ proxy: a token ${ratio(({ late }) => PACE_MS + least(late))} × at ${1000 / PACE_MS} a second, ${ratio(({ token }) => least(token))} × as fast as the server writes`,
    );
  } finally {
    proxy.kill();
    await gateway.stop();
    upstream.closeAllConnections();
    upstream.close();
  }
}

/** Says when each token was written, in its text. */
async function startUpstream(): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const { seed = 0 } = JSON.parse(Buffer.concat(pieces).toString() || '{}') as { seed?: number };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = async (delta: object, reason: string | null = null): Promise<void> => {
        const chunk = {
          id: 'r',
          object: 'chat.completion.chunk',
          created: 0,
          model: 'm',
          choices: [{ index: 0, delta, finish_reason: reason }],
        };
        if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`)) await once(response, 'drain');
      };
      const isPaced = seed < 0;
      for (let at = 0; at < Math.abs(seed); at++) {
        if (isPaced) await delay(PACE_MS);
        await write({ content: `${performance.now().toFixed(2)} ` });
      }
      await write({}, 'stop');
      response.end('data: [DONE]\n\n');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Measured {
  readonly ms: number;
  /** Milliseconds between the writing and the arrival of a token, and of the first. */
  readonly late: number;
  readonly first: number;
}

async function streamed(
  url: string,
  token: string,
  { tokens, paced }: { readonly tokens: number; readonly paced: boolean },
): Promise<Measured> {
  const start = performance.now();
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      model: 'm',
      stream: true,
      seed: paced ? -tokens : tokens,
      messages: [{ role: 'user', content: 'Go.' }],
      ...(token !== '' && { tools: TOOLS }),
    }),
  });
  const decoder = new TextDecoder();
  const lates: number[] = [];
  for await (const piece of response.body!) {
    const text = decoder.decode(piece, { stream: true });
    if (!paced) continue;
    const now = performance.now();
    for (const [, written = ''] of text.matchAll(/"content":" ?([\d.]+)/g)) lates.push(now - Number(written));
  }
  const sum = lates.reduce((all, each) => all + each, 0);
  return { ms: performance.now() - start, late: sum / lates.length, first: lates[0] ?? NaN };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface({ input: stdout! }), 'line')) as [string];
  return line;
}

/** Whatever else the machine does only adds to it. */
function least(numbers: readonly number[]): number {
  return Math.min(...numbers);
}

function cell(numbers: readonly number[]): string {
  return least(numbers).toFixed(2).padStart(17);
}

void main();
