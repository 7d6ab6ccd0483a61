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
import { judgeCommand } from '../../../../src/policy/commands/commands';
import { commandPorts } from '../../../support/workspace/command-ports';
import { posix } from '../../../support/platform';
import { caseCount } from '../../../hosts/random-cases';

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
/** Where a word ends and a redirect begins. */
const beforeRedirect = fc.tuple(
  fc.constantFrom('a', '"b"', "'c'", '2', 'a2', '"2"', "''2", '2"b"'),
  fc.constantFrom('2>&1', '>&2', '>/dev/null', '2>/dev/null', '</dev/null', '&>/dev/null'),
);
const glued = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: fc.tuple(word, word).map((two) => two.join('')) },
  { weight: 1, arbitrary: beforeRedirect.map((two) => two.join('')) },
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

/** Characters with a meaning in some shell. */
const SIGNS = Array.from('\'"\\$`{}()<>&|;\n\t \r\f\v*?[]~#!=^%@+,-:./0129aéx\u00a0\u2028');
/** A text with single characters inserted, removed or doubled. */
const damaged = fc
  .tuple(
    shellText,
    fc.array(fc.record({ at: fc.nat(), sign: fc.constantFrom(...SIGNS), kind: fc.nat(2) }), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((before, { at, sign, kind }) => {
      const place = at % (before.length + 1);
      const rest = before.slice(kind === 1 ? place + 1 : place);
      return before.slice(0, place) + (kind === 1 ? '' : sign) + rest;
    }, text),
  );

/** The shell that runs the text, and the texts it reads differently. */
const SHELLS: readonly { program: string; args: readonly string[]; skips?: RegExp }[] = [
  { program: '/bin/bash', args: ['--noprofile', '--norc', '-c'] },
  // Where there is no bash. `&>` puts the command in the background there, so it may run later.
  { program: '/bin/sh', args: ['-c'], skips: /&>/u },
];

posix.describe('judgeCommand against a recording shell', () => {
  const ports = commandPorts();
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

  /** Whether it ran unasked; if so, what ran must match what was shown. */
  async function runsAsSaid(command: string, shells: typeof SHELLS): Promise<boolean> {
    const cwd = path.join(base, 'work');
    const allow = PROGRAMS.map((program) => `${program} **`);
    const request = { command, shell: 'posix', allow, deny: [], roots: [cwd], cwd } as const;
    const verdict = await judgeCommand(request, ports);
    if (verdict.decision !== 'auto') return false;
    const said = verdict.commands.map((words) => JSON.stringify(words)).sort();
    for (const { program, args, skips } of shells) {
      if (skips?.test(command) === true) continue;
      const shell = spawnSync(program, [...args, command], {
        cwd,
        env: { PATH: path.join(base, 'bin') },
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
      });
      const ran = takeRecords(path.join(base, 'log')).sort();
      assert.equal(shell.stderr, '');
      // The programs succeed, so the part after `||` does not run.
      if (command.includes('||')) assert.deepEqual(ran, said.filter(once(ran)));
      else assert.deepEqual(ran, said);
      assert.deepEqual(readdirSync(cwd), []);
    }
    return true;
  }

  for (const { name, texts, numRuns, least } of [
    { name: 'words and signs', texts: shellText, numRuns: 400, least: 15 },
    { name: 'plain words with a few odd characters', texts: damaged, numRuns: 2_000, least: 20 },
  ]) {
    it(`G10.property what runs is what was said: ${name}`, async function () {
      this.timeout(60_000);
      let unasked = 0;
      await fc.assert(
        fc.asyncProperty(texts, async (command) => {
          // Each start of a shell takes its time; the second one looks at some of the texts.
          if (await runsAsSaid(command, unasked % 4 === 0 ? SHELLS : SHELLS.slice(0, 1))) unasked += 1;
        }),
        { numRuns: caseCount(numRuns) },
      );
      assert.ok(unasked >= caseCount(least), `only ${unasked} commands ran`);
    });
  }
});

function takeRecords(folder: string): string[] {
  return readdirSync(folder).map((name) => {
    const record = path.join(folder, name);
    const words = readFileSync(record, 'utf8').split('\0').slice(0, -1);
    rmSync(record);
    return JSON.stringify(words);
  });
}

/** Matches each text as often as it is in the list. */
function once(list: readonly string[]): (text: string) => boolean {
  const left = [...list];
  return (text) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  };
}
