import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { isAddress } from '../../../../src/policy/commands/addresses';
import { isKind, kinds, type KindName } from '../../../../src/policy/commands/argument-kinds';
import { rowsOf, type OptionRow } from '../../../../src/policy/commands/argument-rows';
import { judgeCommand } from '../../../../src/policy/commands/commands';
import { readArguments } from '../../../../src/policy/commands/read-arguments';
import { parseRule, ruleText } from '../../../../src/policy/commands/rules';
import { tables } from '../../../../src/policy/commands/tables';
import type { Arguments } from '../../../../src/policy/commands/tables/arguments';
import { testRunners } from '../../../../src/policy/commands/tables/javascript';
import { script } from '../../../../src/policy/commands/tables/scripts';
import { caseCount } from '../../../hosts/random-cases';
import { posix } from '../../../support/platform';
import { commandPorts } from '../../../support/workspace/command-ports';

/** A word of each kind. */
const samples: Readonly<Record<KindName, string>> = {
  NUMBER: '5',
  TEXT: 'x y',
  ITEM: 'web',
  ITEMS: 'a,b',
  EXTENSIONS: '.ts,.tsx',
  PATH: 'src/a.ts',
  FILE: 'src/a.ts',
  PATTERN: 'src/*.ts',
  FILES: 'src/*.ts',
  PATHSPEC: 'src/a.ts',
  REVISION: 'HEAD~1',
  REFSPEC: 'HEAD:main',
  REMOTE: 'origin',
  TEST: 'src/a.py::test_x',
  PACKAGES: './...',
  PACKAGE: 'parser::tests',
  TSCONFIG: 'tsconfig.json',
  JQ: '.a.b',
  JSONPATH: 'jsonpath={.items[*].metadata.name}',
  SED_LINES: '1,5p',
  SED: 's/a/b/',
  DATE: '+%F',
  NUMBERS: '1,2',
  RANGES: '1,3-5',
  LINES: '10,20',
  SORT_KEY: '2,2n',
  COLUMNS: 'pid,cmd',
  PS_KEY: 'pcpu',
  TESTS: 'FooTest#bar',
  SHARD: '1/3',
  NO_PLUGIN: 'no:cacheprovider',
  JSON_FIELD: '.metadata.name',
};

/** Pieces of which hostile words are made. */
const PIECES = [
  ...[
    '-',
    '--',
    '+',
    ':',
    '@',
    '=',
    '/',
    '..',
    '.',
    '~',
    '*',
    '!',
    '^',
    '$',
    '`',
    '(',
    ')',
    '|',
    ';',
    ',',
    '%',
    '#',
    ' ',
  ],
  ...[
    'a',
    'x1',
    'src',
    'env',
    'main',
    'https://',
    'evil.example',
    ':80',
    'user@',
    'ENV',
    'input',
    's/',
    'w',
    'e',
    '1',
    'p',
    '\n',
  ],
  ...['select', 'keys', '{', '}', '[', ']', '"', "'", 'refs/', 'HEAD', 'no:', '::'],
];
const hostile = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

/** What no word of a kind may be. */
const never: Readonly<Partial<Record<KindName, RegExp>>> = {
  NUMBER: /[^\w.%+-]|^[A-Za-z]/u,
  ITEM: /^-|[\s/\\$`*@=]/u,
  ITEMS: /^-|[\s\\$`*=]|:\/\//u,
  EXTENSIONS: /[^\w.,]/u,
  PATH: /^(?:-.|[@+!^:])|=|:(?![\\/])/u,
  FILE: /^(?:-.|[@+!^:])|=|^[\w-]+$/u,
  PATTERN: /^(?:-.|[@+^:])|=/u,
  FILES: /^(?:-.|[@+!^:])|=|^[\w-]+$/u,
  PATHSPEC: /^(?:-.|[@+!^:])|[*?[\]{}]|=/u,
  REVISION: /^[-:+/]|:\/\/|:.*:/u,
  REFSPEC: /^[-+:]|:$|:[-+:]|[^\w./:+-]/u,
  REMOTE: /[^\w-]|^-/u,
  TEST: /^(?:-.|[@+!^:])|=/u,
  PACKAGES: /^[^.]|[\s*$`:@=]/u,
  PACKAGE: /[^\w:-]/u,
  TSCONFIG: /^(?!\.$|(?:\.\/)?tsconfig)|\.\.|[^\w./-]/u,
  JQ: /\$|`|;|\benv\b|\binput\b|\(.*\(|#|import|include/u,
  JSONPATH: /^(?!jsonpath=)|\$\(|`/u,
  SED_LINES: /[^\d$,p]/u,
  SED: /^[^s]|\n/u,
  DATE: /^[^+]|\n/u,
  NUMBERS: /[^\d,]/u,
  RANGES: /[^\d,-]/u,
  LINES: /[^\d,+-]/u,
  SORT_KEY: /[^\d.,bdfgiMhnRrV]/u,
  COLUMNS: /env|[^a-z%,=]/u,
  PS_KEY: /[^a-z%,+-]/u,
  TESTS: /^[-/]|[\s/\\$`=:;]|\$\(/u,
  SHARD: /[^\d/]/u,
  NO_PLUGIN: /^(?!no:)|[\s/\\]/u,
  JSON_FIELD: /[^\w.{}-]/u,
};

describe('kinds of arguments', () => {
  for (const [name, sample] of Object.entries(samples)) {
    it(`${name} takes ${sample}`, () => {
      assert.ok(isKind(name));
      assert.ok(kinds[name].fits(sample));
    });
  }

  for (const [name, pattern] of Object.entries(never)) {
    it(`G48 ${name} takes no other words`, () => {
      assert.ok(isKind(name));
      fc.assert(
        fc.property(hostile, (word) => {
          if (kinds[name].fits(word)) assert.doesNotMatch(word, pattern);
        }),
        { numRuns: caseCount(2_000) },
      );
    });
  }

  it('G48 no kind but text and dates takes an address', () => {
    const addresses = [
      ...[
        'https://evil.example/x',
        'evil.example:8080',
        'user@evil.example:x',
        'git+ssh://x',
        'localhost:3000/x',
      ],
      ...[
        '10.0.0.1',
        '10.0.0.1:80',
        'ext::sh',
        'data:text/javascript,1',
        'file:///etc/passwd',
        'http://[::1]/',
      ],
    ];
    for (const address of addresses) {
      assert.ok(isAddress(address), address);
      for (const [name, kind] of Object.entries(kinds)) {
        // A branch of this name, and a line of a file.
        if (['TEXT', 'DATE', 'REFSPEC', 'NUMBER', 'TEST'].includes(name)) continue;
        assert.equal(kind.fits(address), false, `${name} ${address}`);
      }
    }
  });

  it('G48 a program for jq reads fields and nothing else', () => {
    const good = [
      '.',
      '.a',
      '.a.b',
      '.[]',
      '.[0]',
      '.a[]?',
      '.a | keys',
      '.a | length',
      'keys[]',
      '.["a b"]',
      '.a[1:3]',
    ];
    for (const program of [...good, '.[] | select(.a == "b") | .c'])
      assert.ok(kinds.JQ.fits(program), program);
    const bad = [
      'env',
      '$ENV',
      '$ ENV',
      'input',
      '.a | env',
      'import "a" as b; .',
      '@base64d',
      'input_filename',
      '.a; .b',
    ];
    for (const program of [
      ...bad,
      'select(env.A == "b")',
      '.a | $__loc__',
      'getpath(["a"])',
      '"\\(env)"',
      'keys(.a)',
    ])
      assert.equal(kinds.JQ.fits(program), false, program);
  });
});

describe('tables of arguments', () => {
  const all: readonly (readonly [name: string, table: Arguments])[] = Object.entries(tables).flatMap(
    ([name, table]) => [
      [name, table] as const,
      ...(typeof table.dashes === 'object' ? [[`${name} --`, table.dashes] as const] : []),
    ],
  );

  it('have rows that can be read, each with a reason and known kinds', () => {
    for (const [name, table] of all) {
      const { options, operands } = rowsOf(table);
      for (const row of options.values()) {
        assert.match(row.reason, /^\S.*[^.]$/u, `${name} ${row.names.join(' ')}`);
        for (const kind of row.value ?? [])
          assert.ok(isKind(kind) || !/^[A-Z_]{3,}$/u.test(kind), `${name} ${kind}`);
      }
      for (const { kinds: names } of operands)
        for (const kind of names) assert.ok(isKind(kind) || !/^[A-Z_]{3,}$/u.test(kind), `${name} ${kind}`);
      const spelled = (table.options ?? '')
        .split('\n')
        .flatMap((line) => line.trim().split(': ')[0]?.split(' ') ?? []);
      const names = spelled
        .filter((word) => /^[-/]/u.test(word))
        .map((word) => word.replace(/\+$|\[=.*$/u, ''));
      assert.deepEqual(
        names.filter((each, at) => names.indexOf(each) !== at),
        [],
        `${name}: two rows of one option`,
      );
      assert.deepEqual(
        names.filter((each) => !options.has(each)),
        [],
        name,
      );
    }
  });

  const valueOf = ({ value = [] }: OptionRow): string => {
    const [first = ''] = value;
    return isKind(first) ? samples[first] : first;
  };
  /** A complete command of a table: with each of its options and operands. */
  const wordsOf = (table: Arguments): readonly (readonly string[])[] => {
    const rows = [...new Set(rowsOf(table).options.values())];
    return rows.map((row) => {
      const name = row.names[0] ?? '';
      if (name === '-NUMBER') return ['-5'];
      if (row.value === undefined || row.isOptional) return [name];
      return [name, valueOf(row)];
    });
  };

  it('know every row in each of its spellings', () => {
    for (const [name, table] of all) {
      for (const row of new Set(rowsOf(table).options.values())) {
        for (const option of row.names) {
          const word = option === '-NUMBER' ? '-5' : option;
          const next =
            row.value === undefined || row.isOptional || option === '-NUMBER' ? [] : [valueOf(row)];
          const attached =
            row.value !== undefined && option.length > 2 && option !== '-NUMBER'
              ? [[`${option}=${valueOf(row)}`]]
              : [];
          const glued = row.glued.includes(option) ? [[`${option}${valueOf(row)}`]] : [];
          for (const words of [[word, ...next], ...attached, ...glued])
            assert.deepEqual(unknownIn(table, words), [], `${name} ${words.join(' ')}`);
        }
      }
    }
  });

  it('G48 a word that no row names is unknown, in every program and at every place', () => {
    const strange = fc
      .tuple(
        fc.constantFrom('-', '--', '---', '-Z', '--no-', '--x-'),
        fc.stringMatching(/^[a-zA-Z]{1,8}(?:=\w{0,5})?$/u),
      )
      .map((two) => two.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...all), strange, fc.nat(), (entry, word, place) => {
        const [name, table] = entry;
        const { options } = rowsOf(table);
        if (table.hasNoOptions === true || isWritten(word, options)) return;
        const known = wordsOf(table);
        const at = place % (known.length + 1);
        // Few options at a time, because some contradict each other.
        const words = [...(known[at - 1] ?? []), word, ...(known[at] ?? [])];
        const index = (known[at - 1] ?? []).length;
        assert.ok(unknownIn(table, words).includes(index), `${name}: ${words.join(' ')}`);
      }),
      { numRuns: caseCount(5_000) },
    );
  });

  it('G48 an option that is repeated is unknown, unless its row says otherwise', () => {
    for (const [name, table] of all) {
      for (const row of new Set(rowsOf(table).options.values())) {
        const option = row.names[0] === '-NUMBER' ? '-5' : (row.names[0] ?? '');
        const words =
          row.value === undefined || row.isOptional || option === '-5' ? [option] : [option, valueOf(row)];
        const found = unknownIn(table, [...words, ...words]);
        assert.equal(found.includes(words.length), !row.isRepeatable, `${name} ${option}`);
      }
    }
  });

  it('G48 what follows a script means the same, or nothing, to every program that runs tests', () => {
    const runners = [...testRunners, 'pytest']
      .map((name) => tables[name])
      .filter((table) => table !== undefined);
    assert.ok(runners.length > 5);
    for (const row of new Set(rowsOf(script).options.values())) {
      for (const option of row.names) {
        for (const table of runners) {
          const other = rowsOf(table).options.get(option);
          if (other === undefined) continue;
          // `-t` is a name of tests, or a number, or a mark: never a file or a program.
          const isHarmless = (other.value ?? []).every(
            (kind) => ['TEXT', 'NUMBER', 'ITEM', 'true', 'false'].includes(kind) || !isKind(kind),
          );
          assert.ok(isHarmless, option);
        }
      }
    }
  });

  function unknownIn(table: Arguments, words: readonly string[]): readonly number[] {
    const command = words.map((text) => ({ text, isGlob: false }));
    return [...readArguments(command, 0, { table, program: 'x' }).unknown.keys()];
  }

  /** Whether a word is a row, a cluster of rows or a row with a value. */
  function isWritten(word: string, options: ReadonlyMap<string, OptionRow>): boolean {
    const name = word.replace(/=.*$/u, '');
    if (options.has(word) || options.has(name) || options.has(name.toLowerCase())) return true;
    return /^-[A-Za-z]/u.test(word) && options.has(word.slice(0, 2));
  }
});

posix.describe('rules', () => {
  const ports = commandPorts();
  let root: string;
  before(async () => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-rules-')));
    for (const name of ['src', 'packages/web']) mkdirSync(path.join(root, name), { recursive: true });
    for (const name of ['src/a.ts', 'src/b.ts', 'in1', '.env']) writeFileSync(path.join(root, name), '');
    await ports.grammar();
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const judge = async (command: string, allow: readonly string[], cwd = '.') =>
    judgeCommand(
      { command, shell: 'posix', allow, deny: [], roots: [root], cwd: path.join(root, cwd) },
      ports,
    );

  for (const [rule, command, expected] of [
    // Exactly the words, as a shell reads them
    ['pytest -k "a and b"', "pytest -k 'a and b'", 'auto'],
    ['pytest -k "a and b"', "pytest -k 'a and c'", 'ask'],
    ["some-tool 'a b' --c=d", 'some-tool "a b" --c=d', 'auto'],
    ['some-tool a b c d e f g h', 'some-tool a b c d e f g h', 'auto'],
    ['some-tool a', 'some-tool a b', 'ask'],
    // Text that holds code
    ["python -c 'print(1)'", "python -c 'print(1)'", 'ask'],
    ['bash -lc ls', 'bash -lc ls', 'ask'],
    ['node --eval 1', 'node --eval 1', 'ask'],
    ['node --eval=1 x.js', 'node --eval=1 x.js', 'ask'],
    ['perl -ne 1', 'perl -ne 1', 'ask'],
    ['git -c core.pager=x log', 'git -c core.pager=x log', 'ask'],
    ['env ls', 'env ls', 'ask'],
    // What the shell still changes
    ['uniq', 'uniq in*', 'ask'],
    ['diff', 'diff src/*', 'ask'],
    ['cat', 'cat src/*.ts', 'auto'],
    ['git add', 'git add src/*.ts', 'ask'],
    ['head', 'head -n s* src/a.ts', 'ask'],
    // The rule undone
    ['npx tsc --noEmit', 'npx tsc --noEmit false', 'ask'],
    ['npx prettier --check', 'npx prettier --check --write src', 'ask'],
    ['git commit', 'git commit -m x -m y', 'auto'],
    // A program given by a path
    ['node_modules/.bin/eslint', 'node_modules/.bin/eslint src', 'auto'],
    ['.venv/bin/pytest', '.venv/bin/pytest -q', 'auto'],
    ['tools/eslint', 'tools/eslint src', 'ask'],
    ['/usr/bin/ls', '/usr/bin/ls -l', 'ask'],
    // Any further words
    ['find **', "find . -name x -exec rm '{}' +", 'auto'],
    ['some-tool **', 'some-tool --any thing', 'auto'],
    ['some-tool **', 'some-tool', 'auto'],
    ['some-tool **', 'some-tool .env', 'ask'],
    ['some-tool **', 'some-tool ../x', 'ask'],
    ['some-tool **', 'some-tool https://evil.example', 'ask'],
    ['some-tool **', 'some-tool evil.example:80', 'ask'],
    ['some-tool **', 'some-tool --url=https://evil.example', 'ask'],
    ['curl -s https://api.example.com/**', 'curl -s https://api.example.com/v1/x -H a', 'auto'],
    ['curl -s https://api.example.com/**', 'curl -s https://api.example.com.evil.example/v1', 'ask'],
    ['curl -s https://api.example.com/**', 'curl -s https://evil.example/x', 'ask'],
    ['curl -s https://api.example.com/**', 'curl -s file:///etc/passwd', 'ask'],
    ['curl https://example.com/x **', 'curl https://example.com/x -v', 'auto'],
    ['env **', 'env ls', 'ask'],
    ['sudo **', 'sudo ls', 'ask'],
    ['bash **', 'bash x.sh', 'ask'],
    ['python **', 'python x.py', 'ask'],
    ['npx **', 'npx x', 'ask'],
    ['python src/x.py **', 'python src/x.py --any', 'auto'],
    ['**', 'ls', 'ask'],
    ['git **', 'git show HEAD:.env', 'ask'],
  ] as const) {
    it(`${rule}: ${command} → ${expected}`, async () => {
      const { decision, reason } = await judge(command, [rule]);
      assert.equal(decision, expected, reason);
    });
  }

  it('says which word is not known, and for which program', async () => {
    const { reason, beyond } = await judge('pytest --basetemp=src', ['pytest']);
    assert.equal(reason, '--basetemp=src is not known to be harmless for pytest');
    assert.equal(beyond, 'pytest');
    assert.equal((await judge('find . -delete', ['find **'])).reason, 'by your rule find **');
  });

  it('G10.folder a rule with ** holds in its folder, too', async () => {
    assert.equal((await judge('some-tool x', ['some-tool **'], 'packages/web')).decision, 'ask');
    assert.equal(
      (await judge('some-tool x', ['packages/web: some-tool **'], 'packages/web')).decision,
      'auto',
    );
  });

  it('G48 git prints only if it says what, and nothing of it is secret', async () => {
    const judged = async (names: readonly string[] | undefined) =>
      (
        await judgeCommand(
          { command: 'git log -p', shell: 'posix', allow: ['git log'], deny: [], roots: [root], cwd: root },
          { ...ports, gitNames: async () => names },
        )
      ).decision;
    assert.equal(await judged(['src/a.ts']), 'auto');
    assert.equal(await judged(['src/a.ts', 'src/.npmrc']), 'ask');
    assert.equal(await judged(undefined), 'ask');
  });

  it('G9.ignore git prints nothing that an ignore file for agents names, from whichever folder it counts', async () => {
    const below = (names: readonly string[]) => [names.join('/') === 'src' ? 'inner.txt' : ''];
    const secretNames = [{ folders: [root], texts: ['private/'], below }];
    const judged = async (name: string) => {
      const request = { command: 'git log -p', shell: 'posix', allow: ['git log'], deny: [] } as const;
      const places = { roots: [root], cwd: `${root}/packages`, secretNames };
      const gitNames = async () => [name];
      return (await judgeCommand({ ...request, ...places }, { ...ports, gitNames })).decision;
    };
    const rows = { 'src/a.ts': 'auto', 'private/a.ts': 'ask', 'src/inner.txt': 'ask', 'inner.txt': 'auto' };
    for (const [name, decision] of Object.entries(rows)) assert.equal(await judged(name), decision, name);
  });

  it('are words, whatever is in them', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1 }).filter((word) => !/^\s*$|[\0]/u.test(word)),
          { minLength: 1, maxLength: 5 },
        ),
        (words) => {
          assert.deepEqual(parseRule(ruleText(words)), words);
        },
      ),
      { numRuns: caseCount(500) },
    );
  });
});
