// What the gateway adds to a streamed reply, compared with a proxy that only passes bytes on: microseconds per token
// when the server writes as fast as it can, and the delay of a token when it writes at a model's pace. The bar is 1.3
// × the proxy's time per token, and the first text may be one chunk later at most. A case that no model causes is
// measured as well: thousands of tokens written at once, which a proxy passes on unread and the gateway reads one by
// one. Upstream and client run in this process, gateway and proxy each in a separate one.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { GatewayProcess } from '../support/processes/gateway-process';

const TOKENS = 20_000;
const PACED = 150;
const PACE_MS = 10;
const ROUNDS = 5;
/** How the server writes its tokens; the request's temperature selects it. */
const PACES = { atOnce: 0, oneByOne: 1, likeAModel: 2 } as const;
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
      ways.map(({ name }): [string, Row] => [name, { atOnce: [], oneByOne: [], late: [], first: [] }]),
    );
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { name, url, token } of ways) {
        const atOnce = await streamed(url, token, { tokens: TOKENS, pace: 'atOnce' });
        const oneByOne = await streamed(url, token, { tokens: TOKENS, pace: 'oneByOne' });
        const { late, first } = await streamed(url, token, { tokens: PACED, pace: 'likeAModel' });
        // The first round warms up.
        if (round === 0) continue;
        rows.get(name)?.atOnce.push((atOnce.ms * 1000) / TOKENS);
        rows.get(name)?.oneByOne.push((oneByOne.ms * 1000) / TOKENS);
        rows.get(name)?.late.push(late);
        rows.get(name)?.first.push(first);
      }
    }
    console.log(
      '           µs a token, one by one   µs, all at once   ms a token is late   ms the first is late',
    );
    for (const [name, { oneByOne, atOnce, late, first }] of rows)
      console.log(`${name.padEnd(10)}${[oneByOne, atOnce, late, first].map(cell).join('')}`);
    const [one, other] = ways.map(({ name }) => rows.get(name)!);
    const ratio = (count: (row: Row) => number): string => (count(other!) / count(one!)).toFixed(2);
    console.log(
      `gateway ÷ proxy, a token: ${ratio(({ oneByOne }) => least(oneByOne))} × one by one, ${ratio(({ late }) => PACE_MS + least(late))} × at ${1000 / PACE_MS} a second, ${ratio(({ atOnce }) => least(atOnce))} × all at once`,
    );
  } finally {
    proxy.kill();
    await gateway.stop();
    upstream.closeAllConnections();
    upstream.close();
  }
}

type Row = Readonly<Record<'atOnce' | 'oneByOne' | 'late' | 'first', number[]>>;

/** Puts the time of writing into the text of each token. */
async function startUpstream(): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const { seed = 0, temperature } = JSON.parse(Buffer.concat(pieces).toString() || '{}') as {
        seed?: number;
        temperature?: number;
      };
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
      for (let at = 0; at < seed; at++) {
        if (temperature === PACES.likeAModel) await delay(PACE_MS);
        if (temperature === PACES.oneByOne) await nextTurn();
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
  /** Milliseconds from writing to arrival: of a token, and of the first one. */
  readonly late: number;
  readonly first: number;
}

async function streamed(
  url: string,
  token: string,
  { tokens, pace }: { readonly tokens: number; readonly pace: keyof typeof PACES },
): Promise<Measured> {
  const start = performance.now();
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      model: 'm',
      stream: true,
      seed: tokens,
      temperature: PACES[pace],
      messages: [{ role: 'user', content: 'Go.' }],
      ...(token !== '' && { tools: TOOLS }),
    }),
  });
  const decoder = new TextDecoder();
  const lates: number[] = [];
  for await (const piece of response.body!) {
    const text = decoder.decode(piece, { stream: true });
    if (pace !== 'likeAModel') continue;
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

/** Other load on the machine only adds to it. */
function least(numbers: readonly number[]): number {
  return Math.min(...numbers);
}

function cell(numbers: readonly number[]): string {
  return least(numbers).toFixed(2).padStart(21);
}

void main();
