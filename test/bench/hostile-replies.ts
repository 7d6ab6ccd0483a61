// What replies that are built to be slow cost: how the time grows when they are four times as long (4 is linear, 16
// is quadratic).
import { CallIds } from '../../src/core/reply/call-ids';
import type { Protocol } from '../../src/core/words/protocol';
import { protocols } from '../../src/protocols';
import { longLines } from '../support/protocols/long-lines';
import { splitText } from '../support/protocols/run-parser';

const START = '<<<[TOOL_REQUEST]>>>';
const VALUE = `${START}\ntool_name:「始」a「末」\nx:「始」`;

/** Texts of about `size` characters. */
const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  backticks: (size) => '`'.repeat(size),
  tildes: (size) => '~'.repeat(size),
  'blanks after a fence': (size) => `\`\`\`\nx\n\`\`\`${' '.repeat(size)}`,
  'angle brackets': (size) => '<'.repeat(size),
  'think tags': (size) => '<think>'.repeat(size / 7),
  'closing markers in a value': (size) => VALUE + '「末」'.repeat(size / 3),
  'closing markers and blanks': (size) => VALUE + `「末」${' '.repeat(900)}`.repeat(size / 900),
  'blanks before an end marker': (size) => `${VALUE}「末」${' '.repeat(size)}<<<[END_TOOL_REQUEST]>>> z`,
  'start markers': (size) => START.repeat(size / 20),
  'tool calls': (size) => '<tool_call>'.repeat(size / 11),
  'blanks in a tool call': (size) => `<tool_call>${' '.repeat(size)}`,
  'closing parameters': (size) => `<tool_call><function=a><parameter=b>${'</parameter> x'.repeat(size / 14)}`,
  'function calls': (size) => '<function_calls>'.repeat(size / 16),
  'markers of MiniMax': (size) => ']<]minimax[>['.repeat(size / 13),
  'markers of Step 3': (size) => '<｜tool_call_begin｜>'.repeat(size / 19),
  'tags of Hy3': (size) => '<tool_calls>'.repeat(size / 12),
  'nested elements': (size) => `]<]minimax[>[<tool_call><invoke name="a">${'<b>'.repeat(size / 3)}`,
  objects: (size) => '{"a":'.repeat(size / 5),
  'a long line with an open backtick': (size) => `\` ${'x'.repeat(size)}${START}<tool_call><tool_code>`,
  ...longLines,
};
const SMALL = 250_000;

for (const [name, build] of Object.entries(HOSTILE)) {
  const growth = [1, 20, 4 * SMALL].map((size) => {
    const worst = protocols
      .filter(({ id }) => id !== 'native')
      .map((protocol) => {
        const [small, large] = [SMALL, 4 * SMALL].map((length) => best(protocol, build(length), size));
        return { id: protocol.id, ratio: (large ?? 0) / Math.max(small ?? 0, 1), large: large ?? 0 };
      })
      .reduce((most, next) => (next.ratio > most.ratio ? next : most));
    return `${worst.ratio.toFixed(1)} (${worst.id}, ${worst.large.toFixed(0)} ms)`;
  });
  console.log(`${name.padEnd(36)} pieces of 1, 20 and all: ${growth.join(', ')}`);
}

function best(protocol: Protocol, text: string, size: number): number {
  const cut = splitText(text, size);
  let least = Infinity;
  for (let run = 0; run < 2; run++) {
    const parser = protocol.createParser({ ids: new CallIds() });
    const start = performance.now();
    for (const piece of cut) parser.push({ type: 'text', text: piece });
    parser.end('stop');
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
