// The most memory that reading a 5 MB call takes, as a multiple of the reply's text. Runs in a separate process:
// `node --expose-gc parser-memory.js <protocol> <size of the pieces>`.
//
// The text is outside the JavaScript heap, and each piece is created when it is needed. The used heap is read at 20
// points, after a garbage collection: this is what the parser holds. It is also read after each of the last pieces,
// without a collection, so that temporary memory for closing the call counts too. The events are dropped.
import { protocols } from '../../src/protocols';
import { bytes, callText, cut, open, toDelta } from './call-stream';

const SIZE = 5_000_000;
const POINTS = 20;
/** One of these last pieces closes the call. */
const LAST = 8;

const [id, size = 16] = process.argv.slice(2).map((text, at) => (at === 0 ? text : Number(text)));
const protocol = protocols.find((each) => each.id === id);
if (!protocol || typeof size !== 'number') throw new Error('Name a protocol and a size.');

const text = bytes(callText(protocol, SIZE));
const length = text.length / 2;
const count = Math.ceil(length / size);
const every = Math.floor(count / POINTS);
const used = (): number => process.memoryUsage().heapUsed;
const collect = (): void => {
  if (!globalThis.gc) throw new Error('Run with --expose-gc.');
  globalThis.gc();
};

const parser = open(protocol);
const delta = toDelta(protocol);
collect();
const before = used();
let live = 0;
let peak = 0;
let at = 0;
for (const piece of cut(text, size)) {
  const isLast = ++at > count - LAST;
  if (isLast) collect();
  parser.push(delta(piece));
  if (isLast) peak = Math.max(peak, used() - before);
  if (at % every > 0) continue;
  collect();
  live = Math.max(live, used() - before);
}
collect();
const events = parser.end('stop');
peak = Math.max(peak, live, used() - before);
console.log(JSON.stringify({ live: live / length, peak: peak / length, events: events.length }));
