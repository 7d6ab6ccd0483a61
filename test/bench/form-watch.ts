// What watching for other forms costs: a reply read by its protocol alone, and with more and more forms watched at
// once, in the same run; and what watching for a loop adds. Ratios only: seconds on a shared machine mean nothing.
import { CallIds } from '../../src/core/reply/call-ids';
import { RepetitionWatch } from '../../src/core/reply/repetition';
import { chunkDeltas } from '../../src/models/chat-chunks';
import { formsBeside } from '../../src/protocols';
import type { Reader } from '../../src/protocols/engine/reader';
import { vcp } from '../../src/protocols/vcp/vcp';
import { longReplies } from '../support/agent/endless-replies';
import { bytes, callText, cut } from './call-stream';
import { median } from './measure';

const SIZE = 400_000;
const PIECE = 16;
/** Approximate characters in a token. */
const TOKEN = 4;
const RUNS = 9;

const TEXTS: Readonly<Record<string, string>> = {
  prose: 'The plum is a fruit, and [a link](b.md) says why (see 1.2).\n',
  markup: '<div class="a"><b>bold</b> <a href="#">[x]</a> {"k": [1, 2]}</div>\n',
  'special tokens': 'A <|x|> and [T] and <｜y｜> and call:f and f{ and <t> all at once.\n',
};

function main(): void {
  const all = formsBeside(vcp, {});
  const counts = [...new Set([0, 5, 10, 20, all.length].filter((count) => count <= all.length))];
  row('forms watched', counts.map(String));
  for (const [name, line] of Object.entries(TEXTS))
    measure(name, line.repeat(SIZE / line.length), all, counts);
  measure('a call of its own', callText(vcp, SIZE), all, counts);
  measureLoopWatch('prose and code', longReplies.map(({ text }) => text).join('\n'), all);
  measureLoopWatch('a call of its own', callText(vcp, SIZE), all);
}

/**
 * A streamed reply read from its chunks, one token in each, with the loop watch ÷ without. The costs of network,
 * session and page are left out, so the true ratio is lower.
 */
function measureLoopWatch(name: string, text: string, foreign: readonly Reader[]): void {
  const chunks = [...cut(bytes(text), TOKEN)].map((content) =>
    JSON.stringify({
      ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'plum' },
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    }),
  );
  const timed = (watch?: RepetitionWatch): number => {
    const start = performance.now();
    const parser = vcp.createParser({ ids: new CallIds(), foreign });
    for (const chunk of chunks)
      for (const delta of chunkDeltas(JSON.parse(chunk)))
        for (const event of parser.push(delta)) {
          const repeated = watch?.look(event);
          if (repeated !== undefined) throw new Error(`Taken for a loop: ${repeated}`);
        }
    parser.end('stop');
    return performance.now() - start;
  };
  const ratios = Array.from({ length: RUNS }, (_, run) => {
    // Alternates which is first.
    if (run % 2 === 0) return timed(new RepetitionWatch()) / timed();
    const bare = timed();
    return timed(new RepetitionWatch()) / bare;
  });
  row(`loop watch: ${name}`, [`${median(ratios).toFixed(2)} ×`]);
}

function measure(name: string, text: string, all: readonly Reader[], counts: readonly number[]): void {
  const pieces = [...cut(bytes(text), PIECE)];
  const best = counts.map(() => Infinity);
  // In turns, so that other load on the machine affects all.
  for (let run = 0; run < RUNS; run++) {
    for (const [at, count] of counts.entries()) {
      const start = performance.now();
      read(pieces, all.slice(0, count));
      best[at] = Math.min(best[at] ?? Infinity, performance.now() - start);
    }
  }
  row(
    name,
    best.map((each) => `${(each / (best[0] ?? NaN)).toFixed(2)} ×`),
  );
}

function read(pieces: readonly string[], foreign: readonly Reader[]): void {
  const parser = vcp.createParser({ ids: new CallIds(), foreign });
  for (const text of pieces) parser.push({ type: 'text', text });
  parser.end('stop');
}

function row(name: string, cells: readonly string[]): void {
  console.log(`${name.padEnd(30)}${cells.map((cell) => cell.padStart(9)).join('')}`);
}

main();
