// Runs in a separate thread, so that the cost of sending is not measured together with the cost of receiving.
import { parentPort, workerData } from 'node:worker_threads';
import { protocols } from '../../src/protocols';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';

/** Start options of this file's thread. */
export interface CallEndpointOptions {
  readonly protocol: string;
  /** Characters of the call's content. */
  readonly size: number;
  /** Number of requests to answer. */
  readonly requests: number;
}

const LINE = 'const greeting = "hello"; // a line of code, with <b>tags</b> & quotes\n';
const PIECE = 64;

async function main({ protocol: id, size, requests }: CallEndpointOptions): Promise<void> {
  const protocol = protocols.find((each) => each.id === id);
  if (!protocol) throw new Error(`There is no protocol ${id}.`);
  const content = LINE.repeat(Math.ceil(size / LINE.length)).slice(0, size);
  const call = { id: 'c1', name: 'write_file', arguments: { text: content } };
  const endpoint = await FakeEndpoint.start();
  for (let request = 0; request < requests; request++)
    endpoint.next(streamParts(protocol, [{ type: 'call', call }], PIECE));
  parentPort?.on('message', () => parentPort?.close());
  parentPort?.postMessage(endpoint.baseUrl);
}

// SAFETY: only `event-loop.ts` starts this.
void main(workerData as CallEndpointOptions);
