import fc from 'fast-check';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeCommand } from '../../../src/policy/commands';
import { commandPorts } from './command-ports';

const PROGRAMS = ['aa', 'bb', 'cc'];
const ORDINARY = [
  ...[
    'a',
    '-x',
    '--y=z',
    'x/y',
    "'q r'",
    '"s t"',
    '3',
    'é',
    '%h',
    'a^',
    'a,b',
    "''",
    '""',
    'HEAD~1',
    'src/*.ts',
  ],
  ...[
    '2>&1',
    '>&2',
    '>/dev/null',
    '2>/dev/null',
    '</dev/null',
    '&>/dev/null',
    '"a\\"b"',
    '"a\\\\b"',
    "'a\nb'",
  ],
];
const SPECIAL = [
  ...[
    '\'"',
    "'",
    '"',
    '\\',
    '$',
    '`',
    '{',
    '}',
    '(',
    ')',
    '<',
    '>',
    '&',
    '|',
    ';',
    '\n',
    '\t',
    '*',
    '[',
    '~',
    '#',
  ],
  ...[
    '!',
    '=',
    "$'",
    '\\\n',
    '2>',
    '>&',
    '&>',
    '/dev/null',
    '$x',
    '<<',
    '<<<E',
    'if',
    'then',
    'fi',
    'coproc',
    'time',
  ],
  ...[
    '{a,b}',
    '[[',
    ']]',
    '((',
    'a=b',
    '=aa',
    '<(',
    'in',
    '1-',
    '2',
    '\r',
    '\u00a0',
    '|&',
    ';;',
    '"$"',
    '~1',
    'bb',
  ],
];
const blank = fc.constantFrom(' ', ' ', ' ', '  ', '\t', '');
const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ORDINARY) },
  { weight: 1, arbitrary: fc.constantFrom(...SPECIAL) },
);
const glued = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 1, arbitrary: fc.tuple(word, word).map((two) => two.join('')) },
);
const simple = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.tuple(blank, glued), { maxLength: 3 }))
  .map(([program, words]) => program + words.flat().join(''));
const joint = fc.constantFrom(
  ' && ',
  ' || ',
  ';',
  '\n',
  ' | ',
  '|',
  '&&',
  ' ;\n',
  ' |\n ',
  '\n\n',
  '&',
  ' & ',
);
const shellText = fc
  .tuple(simple, fc.array(fc.tuple(joint, simple), { maxLength: 2 }))
  .map(([first, more]) => first + more.flat().join(''));

describe('judgeCommand against a recording shell', () => {
  let base: string;
  before(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-shell-')));
    for (const name of ['work', 'bin', 'log']) mkdirSync(path.join(base, name));
    for (const program of PROGRAMS) {
      const record = `#!/bin/sh\nprintf '%s\\0' ${program} "$@" > ${base}/log/$$\n`;
      writeFileSync(path.join(base, 'bin', program), record, { mode: 0o755 });
    }
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  it('G10.property what runs is what was said', async () => {
    const ports = commandPorts();
    let unasked = 0;
    await fc.assert(
      fc.asyncProperty(shellText, async (command) => {
        const cwd = path.join(base, 'work');
        const request = { command, shell: 'posix', allow: PROGRAMS, deny: [], roots: [cwd], cwd } as const;
        const verdict = await judgeCommand(request, ports);
        if (verdict.decision !== 'auto') return;
        unasked += 1;
        const shell = spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', command], {
          cwd,
          env: { PATH: path.join(base, 'bin') },
          stdio: ['ignore', 'ignore', 'pipe'],
          encoding: 'utf8',
        });
        const ran = takeRecords(path.join(base, 'log')).sort();
        const said = verdict.commands.map((words) => JSON.stringify(words)).sort();
        assert.equal(shell.stderr, '');
        // The programs succeed, so what stands behind `||` does not run.
        if (command.includes('||')) assert.deepEqual(ran, said.filter(once(ran)));
        else assert.deepEqual(ran, said);
        assert.deepEqual(readdirSync(cwd), []);
      }),
      { numRuns: 500 },
    );
    assert.ok(unasked > 50, `only ${unasked} commands ran`);
  });
});

function takeRecords(folder: string): string[] {
  return readdirSync(folder).map((name) => {
    const record = path.join(folder, name);
    const words = readFileSync(record, 'utf8').split('\0').slice(0, -1);
    rmSync(record);
    return JSON.stringify(words);
  });
}

/** Takes each text as often as it is in the list. */
function once(list: readonly string[]): (text: string) => boolean {
  const left = [...list];
  return (text) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  };
}
