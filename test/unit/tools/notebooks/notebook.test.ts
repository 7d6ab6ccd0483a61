import fc from 'fast-check';
import assert from 'node:assert/strict';
import { notebookText, readNotebook } from '../../../../src/tools/notebooks/notebook';
import { withSources } from '../../../../src/tools/notebooks/write-cell';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

interface FileCell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly outputs?: readonly object[];
}

function fileOf(cells: readonly FileCell[], indent = 1): string {
  const whole = cells.map((cell) => ({ metadata: {}, ...cell }));
  return `${JSON.stringify({ cells: whole, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, indent)}\n`;
}

const stream = (text: string) => ({ output_type: 'stream', name: 'stdout', text: [text] });
const display = (data: object) => ({ output_type: 'display_data', metadata: {}, data });
const IMAGE = 'iVBORw0KGgo'.repeat(500_000);

const CELLS: readonly FileCell[] = [
  { cell_type: 'markdown', source: ['# Title\n', 'Words'] },
  {
    cell_type: 'code',
    source: ['print("hi")\n', 'x = 1'],
    outputs: [display({ 'image/png': IMAGE, 'text/plain': ['<Figure>'] }), stream('shown text\n')],
  },
  { cell_type: 'code', source: 'x = 1\ny = x', outputs: [] },
  { cell_type: 'code', source: [], outputs: [display({ 'text/html': '<b>1</b>' })] },
  {
    cell_type: 'code',
    source: ['1/0'],
    outputs: [
      { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[0;31mE\u001b[0m: division'] },
    ],
  },
];

const SHOWN = `nb.ipynb: notebook with 5 cells
[cell 1: markdown]
# Title
Words
[cell 2: code]
print("hi")
x = 1
[output of cell 2]
[image/png, 3.9 MiB, not shown]
<Figure>
shown text
[cell 3: code]
x = 1
y = x
[cell 4: code]

[output of cell 4]
[text/html, not shown]
[cell 5: code]
1/0
[output of cell 5]
E: division`;

describe('notebooks', () => {
  let scratch: ScratchWorkspace;

  beforeEach(async () => (scratch = await ScratchWorkspace.create({ 'nb.ipynb': fileOf(CELLS) })));
  afterEach(() => scratch.dispose());

  it('are read as cells with their text outputs', async () =>
    assert.equal(await scratch.call('read_file', { path: 'nb.ipynb' }), SHOWN));

  it('are read in part, with the lines of what is shown', async () => {
    const part = await scratch.call('read_file', {
      path: 'nb.ipynb',
      start_line: 4,
      end_line: 5,
      numbers: true,
    });
    assert.equal(part, 'nb.ipynb: lines 4-5 of 21, notebook with 5 cells\n4\t[cell 2: code]\n5\tprint("hi")');
  });

  it('are edited in the source of one cell, however large the outputs are', async () => {
    const result = await scratch.call('edit_file', {
      path: 'nb.ipynb',
      old: 'print("hi")',
      new: 'print("ho")\nz',
    });
    assert.equal(result, 'Edited nb.ipynb: added 2 lines, removed 1 line.\nedit 1: cell 2, line 1');
    const [before, after] = [fileOf(CELLS), await scratch.read('nb.ipynb')];
    assert.equal(
      after,
      before.replace(
        String.raw`"print(\"hi\")\n"`,
        String.raw`"print(\"ho\")\n",` + '\n    ' + String.raw`"z\n"`,
      ),
    );
  });

  it('show an edit as its cells, without images', async () => {
    const { preview } = await scratch.prepare('edit_file', { path: 'nb.ipynb', old: 'Words', new: 'More' });
    assert.ok(preview?.type === 'diff');
    assert.ok(preview.after.startsWith('[cell 1: markdown]\n# Title\nMore\n[cell 2: code]\nprint("hi")'));
    assert.ok(!preview.after.includes('shown text'));
  });

  for (const { name, input, expect } of [
    {
      name: 'several cells hold the text',
      input: { old: 'x = 1', new: 'x = 2' },
      expect: '`old` is in the cells 2, 3 of nb.ipynb. Add lines around it until only one cell has it.',
    },
    {
      name: 'the text is in two cells',
      input: { old: 'Words\nprint("hi")', new: '' },
      expect:
        '`old` was not found in a cell of nb.ipynb. Copy it exactly from the source of one cell, without its heading.',
    },
    {
      name: 'only an output holds the text',
      input: { old: 'shown text', new: '' },
      expect:
        '`old` was not found in a cell of nb.ipynb. Copy it exactly from the source of one cell, without its heading.',
    },
    {
      name: 'the edit is for a line',
      input: { after_line: -1, new: 'x' },
      expect: 'nb.ipynb is a notebook, which has no lines of its own. Give old and new.',
    },
    {
      name: 'it occurs twice in the cell',
      input: { old: 'x', new: 'z', expect: 2 },
      expect: '`old` is in the cells 2, 3 of nb.ipynb. Add lines around it until only one cell has it.',
    },
  ])
    it(`refuse an edit if ${name}`, async () =>
      assert.equal(await scratch.failure('edit_file', { path: 'nb.ipynb', ...input }), expect));

  it('are edited in every cell with replace_all', async () => {
    const edit = { path: 'nb.ipynb', old: 'x', new: 'z', replace_all: true };
    assert.match(await scratch.call('edit_file', edit), /edit 1: cell 2, line 2, cell 3, line 1$/);
  });

  it('take several edits, in order', async () => {
    const edits = [
      { old: 'Words', new: 'More' },
      { old: 'More', new: 'Most' },
      { old: '1/0', new: '1/1' },
    ];
    await scratch.call('edit_file', { path: 'nb.ipynb', edits });
    const sources = readNotebook(await scratch.read('nb.ipynb'))?.cells.map(({ source }) => source);
    assert.deepEqual(sources, ['# Title\nMost', 'print("hi")\nx = 1', 'x = 1\ny = x', '', '1/1']);
  });

  it('are texts if they are no notebooks', async () => {
    for (const text of [
      '{"cells": 1}',
      'not JSON',
      '[]',
      '{"cells": [{"source": 1}]}',
      '{"worksheets": []}',
    ]) {
      await scratch.write('other.ipynb', `${text}\n`);
      assert.equal(await scratch.call('read_file', { path: 'other.ipynb' }), text);
    }
  });

  it('have a limit for what can be edited that counts sources', async () => {
    const [big, small] = ['x'.repeat(1024 ** 2 - 2), 'old'].map((source) => ({ cell_type: 'code', source }));
    await scratch.write('nb.ipynb', fileOf([big, small].flatMap((cell) => cell ?? [])));
    const failure = await scratch.failure('edit_file', { path: 'nb.ipynb', old: 'old', new: 'new' });
    assert.match(failure, /^The cells of nb\.ipynb would have 1 MiB; the limit is 1 MiB\./);
  });
});

describe('writing the source of a cell', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '"', '\\', 'é', '😀', '\t', '\u2028', '/'),
    maxLength: 12,
  });
  const lines = (source: string): readonly string[] => source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const files = fc.record({
    sources: fc.array(text, { minLength: 1, maxLength: 4 }),
    isText: fc.boolean(),
    indent: fc.integer({ min: 0, max: 2 }),
    isAscii: fc.boolean(),
    hasCrlf: fc.boolean(),
  });

  const written = ({
    sources,
    isText,
    indent,
    isAscii,
    hasCrlf,
  }: typeof files extends fc.Arbitrary<infer T> ? T : never): string => {
    const cells = sources.map((source) => ({
      cell_type: 'code',
      source: isText ? source : lines(source),
      outputs: [],
    }));
    const json = fileOf(cells, indent);
    const escaped = isAscii
      ? json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : json;
    return hasCrlf ? escaped.replaceAll('\n', '\r\n') : escaped;
  };

  it('writes what a program would write, and leaves every other byte', () => {
    fc.assert(
      fc.property(files, fc.nat(3), text, (file, which, fresh) => {
        const before = written(file);
        const cells = readNotebook(before)?.cells ?? [];
        const cell = cells[which % cells.length];
        assert.ok(cell);
        const after = withSources(before, new Map([[cell, fresh]]));
        const sources = file.sources.with(cell.number - 1, fresh);
        const read = readNotebook(after)?.cells ?? [];
        assert.deepEqual(
          read.map(({ source }) => source),
          sources,
        );
        // Whether a file has ASCII only cannot be seen where it has nothing to escape.
        const canTell = !file.isAscii || /\\u[\da-f]{4}/.test(before);
        const isFilled = file.isText || cell.source !== '' || file.indent > 0;
        if (canTell && isFilled) assert.equal(after, written({ ...file, sources }));
        const tail = before.length - cell.span.end;
        assert.equal(after.slice(0, cell.span.start), before.slice(0, cell.span.start));
        assert.equal(after.slice(after.length - tail), before.slice(cell.span.end));
      }),
    );
  });

  it('keeps escapes that it would not write itself', () => {
    const before = fileOf([{ cell_type: 'code', source: ['a/b é\n', 'c'] }]).replace(
      'a/b é',
      String.raw`a\/b \u00e9`,
    );
    const [cell] = readNotebook(before)?.cells ?? [];
    assert.ok(cell);
    const after = withSources(before, new Map([[cell, 'a/b éx\nd']]));
    assert.equal(after, before.replace(String.raw`\u00e9\n`, String.raw`\u00e9x\n`).replace('"c"', '"d"'));
  });

  it('reads no text as a notebook that it could not write', () => {
    fc.assert(fc.property(fc.json(), (json) => notebookText(readNotebook(json) ?? { cells: [] }) === ''));
  });
});
