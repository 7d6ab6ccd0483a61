import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { Protocol } from '../../../src/core/words/protocol';
import { ToolError } from '../../../src/core/words/tool';
import { protocols } from '../../../src/protocols';
import { caseCount } from '../../hosts/random-cases';
import { editCases } from '../../support/workspace/edit-cases';
import { isLooseResult, referenceEdits } from '../../support/workspace/reference-edits';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { runContext } from '../../support/agent/run-context';

describe('edit_file', () => {
  let scratch: ScratchWorkspace;

  beforeEach(async () => {
    scratch = await ScratchWorkspace.create();
  });
  afterEach(() => scratch.dispose());

  for (const [theme, cases] of editCases()) {
    for (const { name, before, input, after, told } of cases) {
      it(`${theme}: ${name}`, async () => {
        if (before) await scratch.write('f.txt', before);
        if ('result' in told) assert.equal(await scratch.call('edit_file', input), told.result);
        else assert.equal(await scratch.failure('edit_file', input), told.failure);
        assert.deepEqual(await scratch.bytes('f.txt').catch(() => undefined), after);
      });
    }
  }

  it('leaves exactly the expected bytes, or the file untouched and an error', async () => {
    await fc.assert(
      fc.asyncProperty(filesWithEdits, async ({ text, edits, mark }) => {
        const encode = (content: string): Buffer => Buffer.from(`${mark ? '\ufeff' : ''}${content}`);
        const file = await ScratchWorkspace.create({ 'f.txt': encode(text) });
        try {
          const told = await file.call('edit_file', { path: 'f.txt', edits }).catch((error: unknown) => {
            assert.ok(error instanceof ToolError, String(error));
            return error;
          });
          const bytes = await file.bytes('f.txt');
          const expected = referenceEdits(text, edits);
          const isUntouched = told instanceof ToolError && bytes.equals(encode(text));
          if (expected === 'refused') assert.ok(isUntouched);
          else if (expected !== 'elsewhere') assert.deepEqual(bytes, encode(expected.text));
          else if (!isUntouched) {
            assert.ok(!(told instanceof ToolError));
            const [edit] = edits;
            const result = bytes.toString().replace(/^\ufeff/, '');
            if (edit?.expect === 1 && edits.length === 1) assert.ok(isLooseResult(text, edit, result));
          }
        } finally {
          await file.dispose();
        }
      }),
      { numRuns: caseCount(200) },
    );
  });

  it('refuses to edit what has changed since it was read', async () => {
    await scratch.write('f.txt', 'a\nb\n');
    await scratch.call('read_file', { path: 'f.txt', start_line: 1, end_line: 1 });
    await scratch.write('f.txt', 'a\nB\n');
    assert.equal(
      await scratch.failure('edit_file', { path: 'f.txt', old: 'a', new: 'x' }),
      'f.txt has changed since it was read. Read it again before you change it.',
    );
    await scratch.call('read_file', { path: 'f.txt' });
    await scratch.call('edit_file', { path: 'f.txt', old: 'a', new: 'x' });
    await scratch.call('edit_file', { path: 'f.txt', old: 'B', new: 'y' });
    assert.equal(await scratch.read('f.txt'), 'x\ny\n');
  });

  it('refuses to write over what changed while the user was asked', async () => {
    await scratch.write('f.txt', 'a\n');
    const prepared = await scratch.prepare('edit_file', { path: 'f.txt', old: 'a', new: 'b' });
    await scratch.write('f.txt', 'a\nmore\n');
    const { signal } = new AbortController();
    await assert.rejects(prepared.run(runContext(signal)), /has changed in the meantime/);
    assert.equal(await scratch.read('f.txt'), 'a\nmore\n');
  });

  for (const protocol of protocols) {
    it(`G42.edit: finds what was copied from a result over ${protocol.id}`, async () => {
      const all = [...(protocol.markers ?? []), '</attached>', '</rules>'];
      const text = all.map((marker, at) => `${at} ${marker} a\n`).join('');
      await scratch.write('f.txt', `${text}<\\/script>\n`);
      const shown = shownIn(protocol, text);
      const told = await scratch.call('edit_file', {
        path: 'f.txt',
        old: shown,
        new: shown.replaceAll(' a\n', ' b\n'),
      });
      assert.equal(await scratch.read('f.txt'), `${text.replaceAll(' a\n', ' b\n')}<\\/script>\n`);
      assert.equal(told.includes('(without the backslash in markers)'), shown !== text);
    });
  }

  it('G42.edit-as-it-stands: keeps a backslash of the file, also in the replacement', async () => {
    await scratch.write('f.txt', 'a <\\/tool_response>\nb </tool_call>\n');
    await scratch.call('edit_file', {
      path: 'f.txt',
      old: 'a <\\/tool_response>',
      new: 'A <\\/tool_response>',
    });
    assert.equal(await scratch.read('f.txt'), 'A <\\/tool_response>\nb </tool_call>\n');
    await scratch.call('edit_file', {
      path: 'f.txt',
      old: 'b <\\/tool_call>',
      new: '<\\tool_call> <\\/script>',
    });
    assert.equal(await scratch.read('f.txt'), 'A <\\/tool_response>\n<tool_call> <\\/script>\n');
    assert.match(
      await scratch.failure('edit_file', { path: 'f.txt', old: 'c <\\/tool_call>', new: 'x' }),
      /^`old` was not found in f\.txt\./,
    );
  });

  it('tells nothing about a secret file before it was asked about', async () => {
    await scratch.write('.env', 'PASSWORD=hunter2\n');
    const prepared = await scratch.prepare('edit_file', {
      path: '.env',
      old: 'PASSWORD=x',
      new: 'PASSWORD=y',
    });
    assert.deepEqual(
      prepared.accesses.map(({ effect, verdict }) => [effect, verdict.decision]),
      [
        ['read', 'ask'],
        ['write', 'ask'],
      ],
    );
    assert.deepEqual(prepared.preview, {
      type: 'diff',
      path: '.env',
      before: 'PASSWORD=x',
      after: 'PASSWORD=y',
    });
  });
});

/** A text as a model sees it in a result. */
function shownIn(protocol: Protocol, text: string): string {
  const result = { requestId: 'c1', toolName: 'read_file', status: 'success', durationMs: 1 } as const;
  const render = (inside: string): string => {
    const turn = { type: 'results', results: [{ ...result, result: inside }] } as const;
    const { messages } = protocol.request({ instructions: '', tools: [], turns: [turn] });
    const content = messages.at(-1)?.content ?? '';
    // A result that is quoted as JSON is read as what it quotes.
    if (!content.includes('"result":')) return content;
    return content.replace(/\\(?:(n)|(["\\]))/g, (_, line, other) => (line ? '\n' : String(other)));
  };
  const [before = '', after = ''] = render('TEXT').split('TEXT');
  return render(text).slice(before.length, -after.length || undefined);
}

const pieces = fc.constantFrom('a', 'b', 'ab', ' ', '  ', '\t', '\n', '\r\n', '\r', 'é', '😀', '$&', '(');
const texts = (size: { minLength?: number; maxLength: number }) =>
  fc.array(pieces, size).map((parts) => parts.join(''));

/** Texts with edits of which many are parts of them, as they are or with other blanks and line endings. */
const filesWithEdits = fc
  .record({
    text: texts({ maxLength: 20 }),
    mark: fc.boolean(),
    wishes: fc.array(
      fc.record({
        from: fc.nat(20),
        length: fc.integer({ min: 1, max: 12 }),
        distort: fc.constantFrom<(part: string) => string>(
          (part) => part,
          (part) => part.replaceAll('\r\n', '\n'),
          (part) => part.replace(/[ \t]+$/gm, ''),
          (part) => part.replace(/^ {2}/gm, ''),
          () => 'ab',
        ),
        new: texts({ maxLength: 6 }),
        expect: fc.constantFrom(1, 1, 1, 2, 3),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ text, mark, wishes }) => ({
    text,
    mark,
    edits: wishes.map(({ from, length, distort, new: replacement, expect }) => ({
      old: distort(text.slice(from, from + length)) || 'a',
      new: replacement,
      expect,
    })),
  }));
