// How long the extension host is blocked while a call of 1 MB streams in over HTTP: the whole loop with its parser,
// events and messages to the page, compared with decoding the deltas and dropping them. The bar: 2 times that delay.
import { once } from 'node:events';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { EventFeed } from '../../src/core/transcript/event-feed';
import type { Model } from '../../src/core/words/model';
import type { Protocol } from '../../src/core/words/protocol';
import { openAiModel } from '../../src/models/openai';
import { protocols } from '../../src/protocols';
import { testSession, testTool } from '../support/agent/test-session';
import type { CallEndpointOptions } from './call-endpoint';
import { median } from './measure';

const SIZE = 1_000_000;
const RUNS = 5;
const PROTOCOLS = ['native', 'vcp', 'json', 'invoke'];

/** Milliseconds by which a timer was late. */
interface Delay {
  readonly mean: number;
  readonly p99: number;
  readonly worst: number;
}

async function main(): Promise<void> {
  for (const protocol of protocols.filter(({ id }) => PROTOCOLS.includes(id))) {
    // Each run has two requests, and the first pair warms up.
    const workerData: CallEndpointOptions = { protocol: protocol.id, size: SIZE, requests: 2 * (RUNS + 1) };
    const worker = new Worker(path.join(__dirname, 'call-endpoint.js'), { workerData });
    const [baseUrl] = (await once(worker, 'message')) as [string];
    const model = openAiModel({ name: 'm', baseUrl, model: 'm', apiKey: async () => undefined });
    const own: Delay[] = [];
    const bare: Delay[] = [];
    for (let run = 0; run <= RUNS; run++) {
      const [decoded, looped] = [
        await delayIn(() => decode(model)),
        await delayIn(() => loop(model, protocol)),
      ];
      if (run === 0) continue;
      bare.push(decoded);
      own.push(looped);
    }
    const columns = (['mean', 'p99', 'worst'] as const).map((key) => {
      const [one, other] = [own, bare].map((all) => median(all.map((each) => each[key])));
      return `${key} ${((one ?? NaN) / (other ?? NaN)).toFixed(2)} (${one?.toFixed(1)} / ${other?.toFixed(1)} ms)`;
    });
    console.log(`${protocol.id.padEnd(10)}delay ÷ decoding alone: ${columns.join(', ')}`);
    await worker.terminate();
  }
}

async function delayIn(work: () => Promise<unknown>): Promise<Delay> {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  await work();
  monitor.disable();
  return { mean: monitor.mean / 1e6, p99: monitor.percentile(99) / 1e6, worst: monitor.max / 1e6 };
}

async function decode(model: Model): Promise<void> {
  const conversation = { instructions: '', turns: [{ type: 'user', text: 'go' }], tools: [] } as const;
  const request = {
    messages: [{ role: 'user', content: 'go' }],
    origin: { protocol: '', conversation },
  } as const;
  const deltas = model.stream(request, new AbortController().signal)[Symbol.asyncIterator]();
  while ((await deltas.next()).done !== true) {
    // Nothing is done with it.
  }
}

/** Until the reply ends; running the call is not measured. */
async function loop(model: Model, protocol: Protocol): Promise<void> {
  const { session } = testSession({
    protocol,
    model,
    tools: [testTool('write_file', 'write', async () => '')],
  });
  // VS Code does the same with messages to a page.
  const feed = new EventFeed((events) => void JSON.stringify(events));
  const ended = new Promise<void>((resolve) => {
    session.onEvent((event) => {
      feed.add(event);
      if (event.type === 'reply-end') resolve();
    });
  });
  void session.send('go');
  await ended;
  session.stop();
  feed.dispose();
}

void main();
