import { deepEqual } from 'node:assert/strict';
import { lineCounts } from '../../../src/tools/files/line-counts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const rows: readonly {
  readonly name: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  readonly expect: readonly [number, number] | undefined;
}[] = [
  { name: 'a new file', before: undefined, after: bytes('a\nb\n'), expect: [2, 0] },
  { name: 'a deleted file', before: bytes('a\nb'), after: undefined, expect: [0, 2] },
  { name: 'a changed line', before: bytes('a\nb\nc\n'), after: bytes('a\nB\nc\n'), expect: [1, 1] },
  { name: 'an inserted line', before: bytes('a\nc\n'), after: bytes('a\nb\nc\n'), expect: [1, 0] },
  { name: 'an emptied file', before: bytes('a\n'), after: bytes(''), expect: [0, 1] },
  { name: 'another encoding', before: bytes('a'), after: new Uint8Array([0xff, 0xfe]), expect: undefined },
  { name: 'a binary file', before: undefined, after: new Uint8Array([0, 1]), expect: undefined },
  {
    name: 'a long file',
    before: bytes('a'),
    after: bytes('line\n'.repeat(200_000)),
    expect: undefined,
  },
];

describe('counting changed lines', () => {
  for (const { name, before, after, expect } of rows) {
    it(`counts ${name}`, () => {
      deepEqual(lineCounts(before, after), expect && { added: expect[0], removed: expect[1] });
    });
  }
});
