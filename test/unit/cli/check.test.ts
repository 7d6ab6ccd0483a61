import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '../../hosts/repository';
import { distFile } from '../../support/dist';
import { posix } from '../../support/platform';

interface Answer {
  readonly id?: unknown;
  readonly decision?: string;
  readonly reason?: string;
  readonly offers?: readonly string[];
  readonly exact?: readonly string[];
  readonly resolved?: string;
  readonly protected?: boolean;
  readonly runsCode?: boolean;
  readonly secret?: boolean;
  readonly resolved2?: string;
  readonly error?: string;
}

describe('parley check', () => {
  let folder: string;
  before(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-check-')));
    for (const name of ['ws/src', 'ws/.git', 'ws/tools', 'outside']) {
      mkdirSync(path.join(folder, name), { recursive: true });
    }
    for (const name of ['ws/src/a.ts', 'ws/.env', 'ws/tools/python3', 'outside/x']) {
      writeFileSync(path.join(folder, name), '');
    }
    symlinkSync('../outside', path.join(folder, 'ws/link-out'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function check(args: readonly string[], input = '', cwd = path.join(folder, 'ws')) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [distFile('cli.js'), 'check', ...args], {
      cwd,
      input,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  }

  function answers(args: readonly string[], lines: readonly (object | string)[]): Answer[] {
    const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const { code, stdout, stderr } = check(args, input);
    assert.deepEqual([code, stderr], [0, '']);
    const answered = stdout.trimEnd().split('\n');
    assert.equal(answered.length, lines.length);
    return answered.map((line) => JSON.parse(line) as Answer);
  }

  describe('command', () => {
    const single: readonly { name: string; args: readonly string[]; expect: Answer }[] = [
      {
        name: 'runs what a rule lets through',
        args: ['--allow', 'git status', 'git status -s'],
        expect: { decision: 'auto', reason: 'matches git status', offers: [], exact: [] },
      },
      {
        name: 'takes several rules',
        args: ['--allow', 'ls', '--allow', 'wc', 'ls | wc -l'],
        expect: { decision: 'auto', reason: 'matches ls, wc', offers: [], exact: [] },
      },
      {
        name: 'asks without rules',
        args: ['git status'],
        expect: {
          decision: 'ask',
          reason: 'no rule matches git status',
          offers: ['git status'],
          exact: ['git status'],
        },
      },
      {
        name: 'denies what the settings deny by default',
        args: ['--allow', 'sudo', 'sudo ls'],
        expect: { decision: 'deny', reason: 'denied by the rule sudo', offers: [], exact: [] },
      },
    ];
    for (const { name, args, expect } of single) {
      it(name, () => {
        const { code, stdout } = check(['command', ...args]);
        assert.equal(code, 0);
        assert.deepEqual(JSON.parse(stdout), expect);
      });
    }

    const git = { rule_allow: ['git status'], command: 'git status -s' };
    const lines: readonly { name: string; line: object; expect: string }[] = [
      { name: 'no more than it must say', line: { command: 'ls' }, expect: 'undefined ask' },
      { name: 'its rule', line: { id: 'k1', ...git, root: '.', shell: 'posix' }, expect: 'k1 auto' },
      { name: 'an id that is not text', line: { id: 7, ...git }, expect: '7 auto' },
      { name: 'no rule of another line', line: { id: 'k2', command: 'git status' }, expect: 'k2 ask' },
      {
        name: 'a path in the root',
        line: { id: 'r1', rule_allow: ['cat'], command: 'cat src/a.ts' },
        expect: 'r1 auto',
      },
      {
        name: 'a path outside another root',
        line: { id: 'r2', rule_allow: ['cat'], command: 'cat ../.env', root: 'src' },
        expect: 'r2 ask',
      },
      {
        name: 'a root that does not exist',
        line: { id: 'r3', ...git, root: '/nowhere/at/all' },
        expect: 'r3 auto',
      },
      {
        name: 'zsh',
        line: { id: 'z', rule_allow: ['ls'], command: 'ls src/*.ts', shell: 'zsh' },
        expect: 'z ask',
      },
      {
        name: 'powershell',
        line: { id: 'p', rule_allow: ['ls'], command: "ls 'a'", shell: 'powershell' },
        expect: 'p ask',
      },
      {
        name: 'cmd',
        line: { id: 'c', rule_allow: ['dir'], command: 'dir src', shell: 'cmd' },
        expect: 'c auto',
      },
    ];
    it('answers one line for each case', () => {
      const given = answers(
        ['command', '--jsonl'],
        lines.map(({ line }) => line),
      );
      assert.deepEqual(
        given.map(({ id, decision }, at) => `${lines[at]?.name}: ${String(id)} ${decision}`),
        lines.map(({ name, expect }) => `${name}: ${expect}`),
      );
    });

    it('counts rules given as options for every line', () => {
      const [answer] = answers(['command', '--jsonl', '--allow', 'ls'], [{ id: 1, command: 'ls' }]);
      assert.deepEqual(answer, { id: 1, decision: 'auto', reason: 'matches ls', offers: [], exact: [] });
    });

    it('offers the shorter rule of each part, and exactly its words', () => {
      const [answer] = answers(
        ['command', '--jsonl'],
        [{ command: 'git status -s && ./x.sh "a b" | wc -l' }],
      );
      assert.deepEqual(answer?.offers, ['git status', "./x.sh 'a b'", 'wc']);
      assert.deepEqual(answer.exact, ['git status -s', "./x.sh 'a b'", 'wc -l']);
    });

    it('answers as docs/approvals.md says', () => {
      const page = readFileSync(path.join(repository, 'docs/approvals.md'), 'utf8');
      const rows = Array.from(
        page.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$/gmu),
        ([, rule, command, answer]) => ({
          rule,
          command,
          answer: (answer ?? '').replaceAll('`', ''),
        }),
      );
      assert.equal(rows.length, 10);
      const given = answers(
        ['command', '--jsonl'],
        rows.map(({ rule, command }) => ({ command, rule_allow: [rule] })),
      );
      for (const [at, { command, answer }] of rows.entries()) {
        const { decision, reason = '' } = given[at] ?? {};
        assert.equal(decision, answer.startsWith('runs') ? 'auto' : 'ask', `${command}: ${reason}`);
        if (decision === 'ask') assert.equal(`asks: ${reason}`, answer, command);
        else if (answer !== 'runs') assert.match(reason, /^by your rule find \*\*$/u);
      }
    });

    it('judges where a command would run, and offers rules for there', () => {
      const test = { command: 'npm test', cwd: 'src' };
      const [asked, root, there] = answers(
        ['command', '--jsonl'],
        [test, { ...test, rule_allow: ['npm test'] }, { ...test, rule_allow: ['src: npm test'] }],
      );
      assert.deepEqual([asked?.decision, asked?.offers], ['ask', ['src: npm test']]);
      assert.equal(root?.decision, 'ask');
      assert.equal(there?.decision, 'auto');
      assert.deepEqual(check(['command', 'ls > x']).stdout.includes('"offers":[]'), true);
    });
  });

  describe('path', () => {
    const place = (text: string): string => path.join(folder, text);
    const rows: readonly { tool: string; path: string; path2?: string; expect: string; resolved?: string }[] =
      [
        { tool: 'read', path: 'src/a.ts', expect: 'auto', resolved: 'ws/src/a.ts' },
        { tool: 'list', path: '.', expect: 'auto', resolved: 'ws' },
        { tool: 'search', path: 'src', expect: 'auto' },
        { tool: 'write', path: 'src/a.ts', expect: 'auto', resolved: 'ws/src/a.ts' },
        { tool: 'write', path: '.git/config', expect: 'ask' },
        { tool: 'read', path: '.env', expect: 'ask' },
        { tool: 'delete', path: 'src', expect: 'auto' },
        { tool: 'read', path: '../outside/x', expect: 'ask', resolved: 'outside/x' },
        { tool: 'write', path: 'link-out/new', expect: 'deny', resolved: 'outside/new' },
        { tool: 'write', path: '~/x', expect: 'deny' },
        { tool: 'move', path: 'src/a.ts', path2: 'src/b.ts', expect: 'auto', resolved: 'ws/src/a.ts' },
        { tool: 'move', path: 'src/a.ts', path2: '.git/hooks/pre-commit', expect: 'ask' },
        { tool: 'move', path: '.git/config', path2: 'x', expect: 'ask' },
        { tool: 'move', path: 'src/a.ts', path2: '../outside/a.ts', expect: 'deny' },
        { tool: 'move', path: '../outside/x', path2: 'src/x', expect: 'deny' },
        { tool: 'move', path: 'tools', path2: 'venv/bin', expect: 'ask' },
      ];
    posix.it('judges the place alone, for every use', () => {
      const given = answers(
        ['path', '--jsonl'],
        rows.map(({ tool, path: one, path2 }, id) => ({ id, roots: [place('ws')], tool, path: one, path2 })),
      );
      for (const [at, row] of rows.entries()) {
        const { id, decision, reason, resolved } = given[at] ?? {};
        assert.equal(id, at);
        assert.equal(decision, row.expect, `${row.tool} ${row.path}: ${reason}`);
        if (row.resolved !== undefined) assert.equal(resolved, place(row.resolved));
      }
    });

    it('says where both ends of a move are, and nothing about a refused path', () => {
      const roots = [place('ws')];
      const [move, refused, inside] = answers(
        ['path', '--jsonl'],
        [
          { id: 'm', roots, tool: 'move', path: 'src/a.ts', path2: 'b.ts' },
          { id: 'n', roots, tool: 'read', path: '' },
          { id: 'p1', roots, tool: 'write', path: 'src/a.ts' },
        ],
      );
      assert.equal(move?.resolved2, place('ws/b.ts'));
      const ordinary = { protected: false, runsCode: false, secret: false };
      assert.deepEqual(refused, { id: 'n', decision: 'deny', reason: 'the path is empty', ...ordinary });
      assert.deepEqual(inside, {
        id: 'p1',
        decision: 'auto',
        reason: 'inside the workspace',
        resolved: place('ws/src/a.ts'),
        ...ordinary,
      });
    });

    it('says what kind of place it is for any use', () => {
      const rows: readonly (readonly [path: string, kinds: string])[] = [
        ['src/a.ts', ''],
        ['.git/config', 'protected'],
        ['.env', 'secret'],
        ['package.json', 'runsCode'],
        ['.npmrc', 'protected secret'],
      ];
      for (const tool of ['read', 'write'] as const) {
        const given = answers(
          ['path', '--jsonl'],
          rows.map(([at]) => ({ roots: [place('ws')], tool, path: at })),
        );
        const kinds = given.map((each) =>
          (['protected', 'runsCode', 'secret'] as const).filter((kind) => each[kind]).join(' '),
        );
        assert.deepEqual(
          kinds,
          rows.map(([, expected]) => expected),
        );
      }
    });

    it('starts relative paths at the first root; without one no folder is open', () => {
      const [second, none] = answers(
        ['path', '--jsonl'],
        [
          { roots: [place('outside'), place('ws')], tool: 'write', path: 'x' },
          { roots: [], tool: 'read', path: 'x' },
        ],
      );
      assert.equal(second?.resolved, place('outside/x'));
      assert.deepEqual([none?.decision, none?.reason], ['ask', 'no folder is open']);
    });
  });

  const bad: readonly { name: string; kind: string; line: object | string; id: unknown }[] = [
    { name: 'a line that is not JSON', kind: 'command', line: '{"id":"x",', id: null },
    { name: 'a line that is not an object', kind: 'path', line: '[1]', id: null },
    { name: 'no command', kind: 'command', line: { id: 'a' }, id: 'a' },
    { name: 'an unknown shell', kind: 'command', line: { id: 'b', command: 'ls', shell: 'fish' }, id: 'b' },
    {
      name: 'rules that are not a list',
      kind: 'command',
      line: { id: 'c', command: 'ls', rule_allow: 'ls' },
      id: 'c',
    },
    { name: 'no roots', kind: 'path', line: { id: 'd', tool: 'read', path: 'x' }, id: 'd' },
    { name: 'an unknown tool', kind: 'path', line: { id: 5, roots: [], tool: 'burn', path: 'x' }, id: 5 },
    {
      name: 'a move without an end',
      kind: 'path',
      line: { id: 'e', roots: [], tool: 'move', path: 'x' },
      id: 'e',
    },
  ];
  for (const [kind, good] of [
    ['command', { id: 'z', command: 'ls' }],
    ['path', { id: 'z', roots: [], tool: 'read', path: 'x' }],
  ] as const) {
    describe(`${kind}, for lines that are wrong`, () => {
      const rows = bad.filter((row) => row.kind === kind);
      let given: readonly Answer[];
      before(() => {
        const lines = rows.flatMap(({ line }) => [line, good]);
        given = answers([kind, '--jsonl'], lines);
      });
      for (const [at, { name, id }] of rows.entries()) {
        it(`answers ${name} with an error, and continues`, () => {
          const [wrong, right] = given.slice(2 * at);
          assert.equal(wrong?.id, id);
          assert.match(wrong?.error ?? '', /./);
          assert.deepEqual(Object.keys(wrong ?? {}), ['id', 'error']);
          assert.equal(right?.decision, 'ask');
        });
      }
    });
  }

  for (const args of [
    [],
    ['dance'],
    ['command'],
    ['command', 'ls', 'wc'],
    ['command', '--jsonl', 'ls'],
    ['command', '--fast', 'ls'],
    ['path'],
    ['path', 'a.ts'],
  ]) {
    it(`ends with 2 and one sentence for "check ${args.join(' ')}"`, () => {
      const { code, stdout, stderr } = check(args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^parley check: .+\n$/);
    });
  }
});
