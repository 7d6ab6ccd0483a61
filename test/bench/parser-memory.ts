// The most memory that reading a 5 MB call takes, as a multiple of the reply's text. A process of its own, with
// --expose-gc: `node --expose-gc parser-memory.js <protocol> <size of the pieces>`.
//
// The text lies outside the JavaScript heap and each piece is made when it is due. At 20 points, and after each of the
// last pieces, the used heap is read: at the points after a collection, so that it is what the parser holds; after the
// last pieces without one, so that what closing the call needs for a moment counts too. The events are let go.
import { protocols } from '../../src/protocols';
import { bytes, callText, cut, open, toDelta } from './call-stream';

const SIZE = 5_000_000;
const POINTS = 20;
/** The call is closed in one of these. */
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
