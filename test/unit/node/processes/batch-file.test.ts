import assert from 'node:assert/strict';
import fc from 'fast-check';
import { batchCommand, isBatchFile, notForBatchFiles } from '../../../../src/node/processes/batch-file';
import { serverStart } from '../../../../src/node/processes/start-program';

const NPX = 'C:\\Program Files\\nodejs\\npx.cmd';

/** One reading of a line by cmd: what acts outside of quotes, and the line without its carets. */
function readByCmd(line: string): { readonly acts: string; readonly text: string } {
  let [acts, text, isQuoted] = ['', '', false];
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === '^') {
      text += line.charAt(++at);
      continue;
    } else if (!isQuoted && '&|<>()!'.includes(character)) acts += character;
    text += character;
  }
  return { acts, text };
}

/** The arguments as the C runtime of a program splits them. */
function readByProgram(line: string): string[] {
  const words: string[] = [];
  let [word, isQuoted, isOpen] = ['', false, false];
  for (let at = 0; at < line.length; at++) {
    const slashes = /^\\*/u.exec(line.slice(at))?.[0].length ?? 0;
    if (slashes > 0 && line.charAt(at + slashes) === '"') {
      word += '\\'.repeat(Math.floor(slashes / 2));
      at += slashes;
      isOpen = true;
      if (slashes % 2 === 1) word += '"';
      else at--;
      continue;
    }
    const character = line.charAt(at);
    if (character === '"') {
      if (isQuoted && line.charAt(at + 1) === '"') word += line.charAt(at++);
      else isQuoted = !isQuoted;
      isOpen = true;
    } else if (!isQuoted && /[ \t]/u.test(character)) {
      if (isOpen) words.push(word);
      [word, isOpen] = ['', false];
    } else {
      word += character;
      isOpen = true;
    }
  }
  return isOpen ? [...words, word] : words;
}

/** What `npx.cmd` passes on as `%*`, after cmd has read the line once for us and once in the file. */
function arrived(args: readonly string[]): string[] {
  const { program, args: words } = batchCommand(NPX, args, 'C:\\Windows');
  assert.equal(program, 'C:\\Windows\\System32\\cmd.exe');
  const last = words.at(-1) ?? '';
  assert.deepEqual(words.slice(0, -1), ['/d', '/v:off', '/s', '/c']);
  assert.ok(last.startsWith('"') && last.endsWith('"'));
  const first = readByCmd(last.slice(1, -1));
  assert.equal(first.acts, '', last);
  assert.ok(first.text.startsWith(`"${NPX}"`));
  const second = readByCmd(first.text.slice(NPX.length + 2));
  assert.equal(second.acts, '', last);
  return readByProgram(second.text);
}

describe('arguments of a batch file', () => {
  const rows: readonly (readonly string[])[] = [
    ['-y', '@modelcontextprotocol/server-filesystem', 'C:\\ws'],
    ['C:\\My Documents\\', '--x=a b', ''],
    ['a"&calc&"b', '"', '""', '\\"', 'a\\\\"b\\\\'],
    ['a&calc', 'a|b', '>x', '^', '(x)', '!x!', 'a;b,c=d', "'", '100%', '%', '50% of 10%', '{"a": "b & c"}'],
  ];
  for (const args of rows) {
    it(`arrive as written: ${JSON.stringify(args)}`, () => {
      assert.deepEqual(arrived(args), args);
    });
  }

  it('arrive as written, whatever they are, or are refused', () => {
    const sign = fc.constantFrom(...Array.from(' "\\&|<>^()%!=;,\'aNé\t'));
    const word = fc.string({ unit: sign, maxLength: 10 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (args) => {
        if (notForBatchFiles(args) !== undefined) assert.throws(() => batchCommand(NPX, args));
        else assert.deepEqual(arrived(args), args);
      }),
    );
  });

  for (const word of ['a\nb', 'a\r', '%PATH%', 'x%COMSPEC%y', '%a b%', 'a\0']) {
    it(`are refused if cmd cannot pass them: ${JSON.stringify(word)}`, () => {
      assert.equal(notForBatchFiles(['x', word]), word);
      assert.throws(() => batchCommand(NPX, ['x', word]), /cannot pass/);
    });
  }
});

describe('the start of a server', () => {
  const server = { command: 'npx', args: ['-y', 'a b'], executable: NPX, env: {}, cwd: 'C:\\ws' };

  it('is that of the shell of Windows for a batch file', () => {
    const { program, args, verbatim } = serverStart(server, 'win32');
    assert.match(program, /\\System32\\cmd\.exe$/);
    assert.equal(args.at(-1), `""${NPX}" -y "a b""`);
    assert.ok(verbatim);
  });

  it('is the program itself otherwise', () => {
    const node = { ...server, executable: 'C:\\node.exe' };
    assert.deepEqual(serverStart(node, 'win32'), {
      program: 'C:\\node.exe',
      args: server.args,
      verbatim: false,
    });
    assert.equal(serverStart(server, 'linux').program, NPX);
  });

  for (const [file, expected] of [
    ['C:\\node\\npx.cmd', true],
    ['C:\\x.BAT', true],
    ['C:\\x.cmd. ', true],
    ['C:\\cmd.exe', false],
    ['C:\\x.cmd\\node.exe', false],
  ] as const) {
    it(`${expected ? 'is' : 'is not'} that of a batch file: ${file}`, () => {
      assert.equal(isBatchFile(file), expected);
    });
  }
});
