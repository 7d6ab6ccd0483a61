// Runs in a thread of its own, so that what it costs to say something is not measured with what it costs to listen.
import { parentPort, workerData } from 'node:worker_threads';
import { protocols } from '../../src/protocols';
import { Endpoint, streamParts } from '../support/endpoint';

/** What a thread of this file is started with. */
export interface CallEndpointOptions {
  readonly protocol: string;
  /** Characters of the call's content. */
  readonly size: number;
  /** So many requests are answered. */
  readonly requests: number;
}

const LINE = 'const greeting = "hello"; // a line of code, with <b>tags</b> & quotes\n';
const PIECE = 64;

async function main({ protocol: id, size, requests }: CallEndpointOptions): Promise<void> {
  const protocol = protocols.find((each) => each.id === id);
  if (!protocol) throw new Error(`There is no protocol ${id}.`);
  const content = LINE.repeat(Math.ceil(size / LINE.length)).slice(0, size);
  const call = { id: 'c1', name: 'write_file', arguments: { text: content } };
  const endpoint = await Endpoint.start();
  for (let request = 0; request < requests; request++)
    endpoint.next(streamParts(protocol, [{ type: 'call', call }], PIECE));
  parentPort?.on('message', () => parentPort?.close());
  parentPort?.postMessage(endpoint.baseUrl);
}

// SAFETY: only `event-loop.ts` starts this.
void main(workerData as CallEndpointOptions);
