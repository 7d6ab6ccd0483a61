import assert from 'node:assert/strict';
import { limits } from '../../../src/base/limits';
import { gif, jpeg, png, webp } from '../../support/images';
import { runContext } from '../../support/agent/run-context';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

describe('read_file', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create({
      'a.txt': 'one\ntwo\nthree\n',
      'crlf.txt': 'one\r\ntwo',
      'mixed.txt': 'one\r\ntwo\nthree\n',
      'empty.txt': '',
      'blank.txt': '\n \n',
      'bom.txt': '\ufeffone\n',
      'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('día\n', 'utf16le')]),
      'long.txt': numbered(5000),
      'wide-lines.txt': 'x'.repeat(200_000) + '\n' + 'y'.repeat(200_000) + '\n',
      'many-bytes.txt': `${'x'.repeat(1999)}\n`.repeat(200),
      'picture.png': Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'),
      'latin.txt': Buffer.from('d\xeda', 'latin1'),
      'src/lib/helper.ts': 'x\n',
    });
  });
  after(() => scratch.dispose());

  for (const { name, input, expect } of [
    {
      name: 'shows a file as it is, with nothing in front',
      input: { path: 'a.txt' },
      expect: 'one\ntwo\nthree',
    },
    {
      name: 'numbers the lines where that is asked for',
      input: { path: 'a.txt', numbers: true },
      expect: '1\tone\n2\ttwo\n3\tthree',
    },
    {
      name: 'numbers them as they are counted in the file',
      input: { path: 'a.txt', start_line: 2, numbers: true },
      expect: 'a.txt: lines 2-3 of 3\n2\ttwo\n3\tthree',
    },
    {
      name: 'says that a file has nothing but blanks',
      input: { path: 'blank.txt' },
      expect: 'blank.txt: blank\n\n ',
    },
    {
      name: 'reads a range with both ends',
      input: { path: 'a.txt', start_line: 2, end_line: 3 },
      expect: 'a.txt: lines 2-3 of 3\ntwo\nthree',
    },
    {
      name: 'reads from a line to the end',
      input: { path: 'a.txt', start_line: 3 },
      expect: 'a.txt: line 3 of 3\nthree',
    },
    {
      name: 'reads the beginning up to a line',
      input: { path: 'a.txt', end_line: 1 },
      expect: 'a.txt: line 1 of 3\none',
    },
    {
      name: 'reads the end',
      input: { path: 'a.txt', tail: 2 },
      expect: 'a.txt: lines 2-3 of 3\ntwo\nthree',
    },
    {
      name: 'ends a range where the file ends',
      input: { path: 'a.txt', start_line: 3, end_line: 99 },
      expect: 'a.txt: line 3 of 3\nthree',
    },
    {
      name: 'shows the last lines instead of those past the end',
      input: { path: 'a.txt', start_line: 8, end_line: 9 },
      expect:
        'a.txt: lines 2-3 of 3\ntwo\nthree\n[There is no line 8: the file has 3 lines. Shown: the last 2.]',
    },
    {
      name: 'names line endings and a missing last one',
      input: { path: 'crlf.txt' },
      expect: 'crlf.txt: CRLF, no final line break\none\ntwo',
    },
    {
      name: 'names mixed line endings',
      input: { path: 'mixed.txt' },
      expect: 'mixed.txt: mixed line endings: 1 CRLF, 2 LF\none\ntwo\nthree',
    },
    {
      name: 'says that a file is empty',
      input: { path: 'empty.txt' },
      expect: 'empty.txt: empty file, 0 bytes, utf-8',
    },
    {
      name: 'names a byte order mark',
      input: { path: 'bom.txt' },
      expect: 'bom.txt: utf-8 with byte order mark\none',
    },
    {
      name: 'reads UTF-16',
      input: { path: 'wide.txt' },
      expect: 'wide.txt: utf-16le with byte order mark\ndía',
    },
  ]) {
    it(name, async () => assert.equal(await scratch.call('read_file', input), expect));
  }

  it('cuts after as many lines as one call may show and says how to go on', async () => {
    const lines = (await scratch.call('read_file', { path: 'long.txt' })).split('\n');
    assert.equal(lines[0], 'long.txt: lines 1-2000 of 5,000');
    assert.equal(lines.at(-2), '2000');
    assert.equal(lines.at(-1), '[Cut: a call shows 2,000 lines. Go on with start_line=2001.]');
  });

  it('cuts after as many bytes as one call may show', async () => {
    const lines = (await scratch.call('read_file', { path: 'many-bytes.txt' })).split('\n');
    assert.equal(lines.length, 1 + 131 + 1);
    assert.equal(lines.at(-1), '[Cut: a call shows 256 KiB. Go on with start_line=132.]');
  });

  it('cuts long lines and says how to go on', async () => {
    const text = await scratch.call('read_file', { path: 'wide-lines.txt' });
    assert.equal(
      text,
      `${'x'.repeat(2000)}\n${'y'.repeat(2000)}\n[Line 1 and 1 more are cut: a call shows 2,000 characters of a line. 198,000 more of line 1: start_line=1, end_line=1, from_character=2001; search_text finds text in it.]`,
    );
  });

  it('never cuts a character', async () => {
    await scratch.write('pairs.txt', `a${'😀'.repeat(1000)}`);
    const text = await scratch.call('read_file', { path: 'pairs.txt' });
    assert.ok(text.includes(`\na${'😀'.repeat(999)}\n[Line 1 is cut`), text);
    assert.match(text, /from_character=2000;/);
    const rest = await scratch.call('read_file', { path: 'pairs.txt', from_character: 2000 });
    assert.equal(rest, 'pairs.txt: line 1 from character 2,000, no final line break\n😀');
  });

  for (const kind of ['read whole', 'too large to be read whole']) {
    it(`goes on in a long line of a file ${kind}, until every character was shown`, async () => {
      const line = Array.from({ length: 1200 }, (_, at) => `<${at}>`).join('');
      const fill =
        kind === 'read whole' ? '' : `${'z'.repeat(99)}\n`.repeat(limits.readWholeFileBytes / 100 + 1);
      await scratch.write('spread.txt', `first\n${line}\r\nlast\n${fill}`);
      let all = '';
      for (let from: number | undefined = 1; from !== undefined;) {
        const input = { path: 'spread.txt', start_line: 2, end_line: 2, from_character: from };
        const text = await scratch.call('read_file', input);
        const [, shown = '', next] = text.split('\n');
        all += shown;
        from = next === undefined ? undefined : Number(/from_character=(\d+)/.exec(next)?.[1]);
      }
      assert.equal(all, line);
    });
  }

  for (const { name, input, expect } of [
    {
      name: 'refuses a start after the end',
      input: { path: 'a.txt', start_line: 3, end_line: 2 },
      expect: 'start_line 3 is after end_line 2. Give the smaller number as start_line.',
    },
    {
      name: 'refuses tail beside a range',
      input: { path: 'a.txt', tail: 3, end_line: 2 },
      expect: 'tail cannot be combined with start_line, end_line or from_character. Give one or the other.',
    },
    {
      name: 'refuses a folder',
      input: { path: 'src' },
      expect: 'src is a folder. List it with read_folder.',
    },
    {
      name: 'names the type of a binary file',
      input: { path: 'picture.png' },
      expect: 'picture.png is not text: PNG image. Use a command that understands it.',
    },
    {
      name: 'refuses what it cannot decode',
      input: { path: 'latin.txt' },
      expect:
        'latin.txt is not utf-8 text: unknown binary data or another encoding. Use a command that understands it.',
    },
    {
      name: 'knows the file of that name elsewhere',
      input: { path: 'helper.ts' },
      expect: 'No file at helper.ts. Did you mean src/lib/helper.ts?',
    },
    {
      name: 'knows the file of a similar name',
      input: { path: 'src/lib/Helpers.ts' },
      expect: 'No file at src/lib/Helpers.ts. Did you mean src/lib/helper.ts?',
    },
    {
      name: 'says where to look for a file that is nowhere',
      input: { path: 'nothing/of/the/kind.java' },
      expect:
        'No file at nothing/of/the/kind.java. List the folder with read_folder, or look for it with find_files.',
    },
    {
      name: 'tells nothing about what lies outside',
      input: { path: '../nothing-at-all' },
      expect: 'No file at /tmp/nothing-at-all. Check the path.',
    },
  ]) {
    it(name, async () =>
      assert.equal(await scratch.failure('read_file', input), expect.replace('/tmp', tmp(scratch))),
    );
  }

  describe('shows images to models that see', () => {
    const rows = [
      ['a.png', png(3, 2), 'PNG image, 3 × 2 pixels'],
      ['b.JPG', jpeg(640, 480), 'JPEG image, 640 × 480 pixels'],
      ['c.gif', gif(1, 9), 'GIF image, 1 × 9 pixels'],
      ['d.webp', webp('VP8X', 30, 40), 'WEBP image, 30 × 40 pixels'],
      // Its content decides its type, not its name.
      ['e.jpeg', png(3, 2), 'PNG image, 3 × 2 pixels'],
    ] as const;
    for (const [name, bytes, facts] of rows) {
      it(`such as ${name}`, async () => {
        await scratch.write(name, bytes);
        const prepared = await scratch.prepare('read_file', { path: name });
        const { text, images } = await prepared.run(runContext());
        assert.equal(text, `${name}: ${facts}, ${bytes.length} bytes. It is attached to this result.`);
        assert.deepEqual(
          images?.map(({ data }) => data),
          [bytes.toString('base64')],
        );
      });
    }

    for (const [what, bytes, failure] of [
      ['a damaged one', png(3, 2).subarray(0, 40), 'x.png is a damaged image: its end is missing.'],
      [
        'one with too many pixels',
        gif(limits.imagePixels + 1, 1),
        'x.png is too large to be shown (GIF image',
      ],
      ['what only has the name of one', Buffer.from('\0\x01'), 'x.png is not text: unknown binary data'],
    ] as const) {
      it(`but not ${what}`, async () => {
        await scratch.write('x.png', bytes);
        const said = await scratch.failure('read_file', { path: 'x.png' });
        assert.ok(said.startsWith(failure), said);
      });
    }

    it('and reads text that only has the name of one', async () => {
      await scratch.write('x.png', 'text\n');
      assert.equal(await scratch.call('read_file', { path: 'x.png' }), 'text');
    });
  });

  describe('with a file too large to be read whole', () => {
    before(() => scratch.write('huge.txt', numbered(2_000_000)));

    for (const { name, input, expect } of [
      {
        name: 'reads a range',
        input: { start_line: 1_000_000, end_line: 1_000_001 },
        expect: 'huge.txt: lines 1000000-1000001, 14.2 MiB\n1000000\n1000001',
      },
      {
        name: 'reads the end',
        input: { tail: 1 },
        expect: 'huge.txt: line 2000000 of 2,000,000, 14.2 MiB\n2000000',
      },
      {
        name: 'counts the lines when a range is past the end',
        input: { start_line: 3_000_000, end_line: 3_000_000 },
        expect:
          /^huge\.txt: lines 1999951-2000000 of 2,000,000, 14\.2 MiB\n[^]*\[There is no line 3000000: the file has 2,000,000 lines\. Shown: the last 50\.\]$/,
      },
      {
        name: 'says how to go on',
        input: { start_line: 10 },
        expect: /^huge\.txt: lines 10-2009, 14\.2 MiB\n[^]*Go on with start_line=2010\.\]$/,
      },
    ]) {
      it(name, async () => {
        const text = await scratch.call('read_file', { path: 'huge.txt', ...input });
        if (typeof expect === 'string') assert.equal(text, expect);
        else assert.match(text, expect);
      });
    }

    it('asks for a range', async () => {
      assert.equal(
        await scratch.failure('read_file', { path: 'huge.txt' }),
        'huge.txt has 14.2 MiB, too large to read whole. Give start_line and end_line, or tail, or use search_text.',
      );
    });
  });
});

function tmp(scratch: ScratchWorkspace): string {
  return scratch.root.slice(0, scratch.root.lastIndexOf('/'));
}

function numbered(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `${index + 1}\n`).join('');
}
