// What reading a streamed write_file call costs, against the least any reader must do, in the same run.
import { CallIds } from '../../src/core/call-ids';
import type { ModelDelta } from '../../src/core/model';
import type { Protocol } from '../../src/core/protocol';
import { protocols } from '../../src/protocols';

const LINE = 'const greeting = "hello"; // a line of code, with <b>tags</b> & quotes\n';
const SIZES = [100_000, 1_000_000, 5_000_000];
const PIECES = [4, 16, 64];
const RUNS = 3;

for (const protocol of protocols) {
  for (const piece of PIECES) {
    const times = SIZES.map((size) => {
      const deltas = stream(protocol, size, piece);
      return { parse: best(() => parse(protocol, deltas)), floor: best(() => floor(deltas)), size };
    });
    const ratios = times.map(
      ({ parse: own, floor: least, size }) => `${size / 1_000_000} MB ${(own / least).toFixed(2)}`,
    );
    const [first, , last] = times;
    const exponent =
      first && last ? Math.log(last.parse / first.parse) / Math.log(last.size / first.size) : NaN;
    console.log(
      `${protocol.id.padEnd(12)} pieces of ${String(piece).padStart(2)}: × the floor: ${ratios.join(', ')}; growth exponent ${exponent.toFixed(2)}`,
    );
  }
}

function stream(protocol: Protocol, size: number, piece: number): ModelDelta[] {
  const content = LINE.repeat(Math.ceil(size / LINE.length));
  const call = { id: 'c1', name: 'write_file', arguments: { path: 'a.ts', content } };
  return protocol.renderReply([{ type: 'call', call }]).flatMap((delta): ModelDelta[] => {
    if (delta.type === 'text') return cut(delta.text, piece).map((text) => ({ type: 'text', text }));
    if (delta.type !== 'tool-call') return [delta];
    const { arguments: args = '', ...head } = delta;
    return [
      head,
      ...cut(args, piece).map((text): ModelDelta => ({ type: 'tool-call', index: 0, arguments: text })),
    ];
  });
}

function parse(protocol: Protocol, deltas: readonly ModelDelta[]): void {
  const parser = protocol.createParser({ ids: new CallIds() });
  let calls = 0;
  for (const delta of deltas) calls += parser.push(delta).filter(({ type }) => type === 'call-end').length;
  calls += parser.end('stop').filter(({ type }) => type === 'call-end').length;
  if (calls !== 1) throw new Error(`Expected one call, read ${calls}.`);
}

/** Text: look for one marker in every piece. Native: join the pieces and parse the JSON. */
function floor(deltas: readonly ModelDelta[]): void {
  const pieces: string[] = [];
  let held = '';
  let json = false;
  for (const delta of deltas) {
    const text =
      delta.type === 'text' ? delta.text : delta.type === 'tool-call' ? (delta.arguments ?? '') : '';
    json ||= delta.type === 'tool-call';
    const seen = held + text;
    if (!json && seen.indexOf('<<<[END') > 0) held = '';
    held = seen.slice(-6);
    pieces.push(text);
  }
  const whole = pieces.join('');
  if (json) JSON.parse(whole);
}

function best(action: () => void): number {
  let least = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    action();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

function cut(text: string, size: number): string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length; at += size) all.push(text.slice(at, at + size));
  return all;
}
