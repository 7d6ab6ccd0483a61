import assert from 'node:assert/strict';
import { CallIds } from '../../../src/core/reply/call-ids';
import type { ParserOptions, Protocol } from '../../../src/core/words/protocol';
import { protocols } from '../../../src/protocols';
import { isAll } from '../../hosts/random-cases';
import { longLines } from '../../support/protocols/long-lines';

/** Characters of the shorter of two replies. */
const SHORTER = isAll ? 20_000 : 5_000;

/** How many characters are searched and joined meanwhile: what makes a parser slow, and the same on every machine. */
function charactersRead(run: () => void): number {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { indexOf } = String.prototype;
  const { join } = Array.prototype;
  let count = 0;
  String.prototype.indexOf = function (this: string, text: string, from = 0) {
    const at = indexOf.call(this, text, from);
    count += (at < 0 ? this.length : at) - from;
    return at;
  };
  Array.prototype.join = function (this: unknown[], separator?: string) {
    const joined = join.call(this, separator);
    count += joined.length;
    return joined;
  };
  try {
    run();
  } finally {
    String.prototype.indexOf = indexOf;
    Array.prototype.join = join;
  }
  return count;
}

describe('the cost of a reply that is one long line', () => {
  for (const protocol of protocols) {
    for (const [name, build] of Object.entries(longLines)) {
      it(`grows with its length under ${protocol.id}: ${name}`, () => assertLinear(protocol, build));
    }
  }
});

const FENCED = [
  '```\n<function_calls><invoke name="a"><parameter name="b">x\n```\n',
  '```\n<tool_call><function=a><parameter=b>x\n```\n',
  '```\n<tool_code>{"a":"\n```\n',
  '```\n<<<[TOOL_REQUEST]>>>\na:「始」x\n```\n',
];

describe('the cost of a reply full of fences', () => {
  for (const protocol of protocols) {
    for (const block of FENCED) {
      it(`grows with its length under ${protocol.id}: ${block.slice(4, 20)}`, () =>
        assertLinear(protocol, (size) => block.repeat(size / block.length), 'lenient'));
    }
  }
});

function assertLinear(
  protocol: Protocol,
  build: (size: number) => string,
  strictness?: ParserOptions['strictness'],
): void {
  const [small = 0, large = 0] = [SHORTER, 8 * SHORTER].map((size) =>
    charactersRead(() => {
      const parser = protocol.createParser({ ids: new CallIds(), ...(strictness && { strictness }) });
      parser.push({ type: 'text', text: build(size) });
      parser.end('stop');
    }),
  );
  // Eight times as long; the square would be sixty-four.
  assert.ok(large < 12 * small + 50 * SHORTER, `${small} characters became ${large}`);
}
