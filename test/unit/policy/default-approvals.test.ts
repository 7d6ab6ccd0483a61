import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApprovalRequest } from '../../../src/core/words/approval';
import type { Access, Effect } from '../../../src/core/words/tool';
import type { Grant, PathUse } from '../../../src/core/words/verdict';
import { pathFileSystem } from '../../../src/node/files/path-file-system';
import { judgeCall, type ApprovalRules } from '../../../src/policy/approvals';
import { judgeCommand } from '../../../src/policy/commands/commands';
import { judgePath } from '../../../src/policy/paths/paths';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { posix } from '../../support/platform';
import { commandPorts } from '../../support/workspace/command-ports';

type Decision = 'auto' | 'ask' | 'deny';

/** One row of the table of default approvals; `edits`: with edits allowed for this session. */
interface Row {
  readonly action: string;
  readonly accesses: () => Promise<readonly Access[]>;
  readonly effect: Effect;
  readonly restricted: Decision;
  readonly trusted: Decision;
  readonly edits: Decision;
}

posix.describe('default approvals', () => {
  const ports = commandPorts();
  let folder: string;
  before(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-approvals-')));
    for (const name of ['ws/src', 'ws/.git', 'outside'])
      mkdirSync(path.join(folder, name), { recursive: true });
    for (const name of ['ws/src/a.ts', 'ws/.env', 'outside/x', 'outside/.env'])
      writeFileSync(path.join(folder, name), '');
    symlinkSync('../outside', path.join(folder, 'ws/link-out'));
    symlinkSync('circle', path.join(folder, 'ws/circle'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function place(kind: Access['kind'], use: PathUse, asked: string): Promise<readonly Access[]> {
    const roots = [path.join(folder, 'ws')];
    const { verdict, display } = await judgePath({ roots, path: asked, use }, pathFileSystem);
    return [{ effect: kind === 'path' ? 'read' : 'write', target: display, kind, verdict }];
  }

  async function command(text: string, allow: readonly string[] = []): Promise<readonly Access[]> {
    const cwd = path.join(folder, 'ws');
    const verdict = await judgeCommand(
      { command: text, shell: 'posix', allow, deny: ['sudo'], roots: [cwd], cwd },
      ports,
    );
    return [
      ...(await place('path', 'list', '.')),
      { effect: 'execute', target: text, kind: 'command', verdict },
    ];
  }

  /** The verdict of a tool that judges itself and lets itself run. */
  const own = (kind: string, effect: Effect) => async (): Promise<readonly Access[]> => [
    // SAFETY: a kind that does not exist, to test one unknown to this policy.
    {
      effect,
      target: 'x',
      kind: kind as Access['kind'],
      verdict: { decision: 'auto', reason: 'it says so' },
    },
  ];

  const rows: readonly Row[] = [
    ...(['read', 'list', 'search'] as const).flatMap((use): readonly Row[] => [
      reading(`${use} inside`, () => place('path', use, 'src'), ['auto', 'auto']),
      reading(`${use} outside`, () => place('path', use, '../outside/x'), ['deny', 'ask']),
      reading(`${use} outside, absolute`, () => place('path', use, path.join(folder, 'outside')), [
        'deny',
        'ask',
      ]),
      reading(`${use} outside, by a link`, () => place('path', use, 'link-out/x'), ['deny', 'ask']),
      reading(`${use} in an unknown place`, () => place('path', use, 'circle'), ['deny', 'ask']),
      reading(`${use} a device`, () => place('path', use, '/dev/zero'), ['deny', 'deny']),
    ]),
    reading('read a secret file', () => place('path', 'read', '.env'), ['ask', 'ask']),
    reading('read a secret file outside', () => place('path', 'read', '../outside/.env'), ['deny', 'ask']),
    acting('edit an ordinary file', () => place('edit', 'write', 'src/a.ts'), ['ask', 'auto']),
    acting('create an ordinary file', () => place('edit', 'write', 'new/a.ts'), ['ask', 'auto']),
    acting('edit a secret file', () => place('edit', 'write', '.env'), ['ask', 'ask']),
    acting('delete', () => place('move', 'delete', 'src/a.ts'), ['ask', 'ask']),
    acting('move', () => place('move', 'move', 'src/a.ts'), ['ask', 'ask']),
    acting('edit a protected path', () => place('edit', 'write', '.git/config'), ['ask', 'ask']),
    acting('delete a protected path', () => place('move', 'delete', '.git'), ['ask', 'ask']),
    acting('write outside', () => place('edit', 'write', '../outside/x'), ['deny', 'deny']),
    acting('write outside by a link', () => place('edit', 'write', 'link-out/new'), ['deny', 'deny']),
    acting('delete outside', () => place('move', 'delete', '../outside/x'), ['deny', 'deny']),
    acting('command', () => command('ls'), ['ask', 'ask']),
    acting('command with a rule', () => command('ls', ['ls']), ['auto', 'auto']),
    acting('command that is denied', () => command('sudo ls', ['sudo']), ['deny', 'deny']),
    acting('tool of a server, unjudged', async () => [], ['ask', 'ask'], 'network'),
    acting('tool of a server, process', async () => [], ['ask', 'ask'], 'execute'),
    acting('write without saying where', async () => [], ['ask', 'ask']),
    acting('write that names only what it reads', () => place('path', 'read', 'src'), ['ask', 'ask']),
    acting('unknown kind', own('telepathy', 'write'), ['ask', 'ask']),
    acting('place that is not only read', own('path', 'write'), ['ask', 'ask']),
    { ...acting('read that edits', own('edit', 'write'), ['ask', 'auto']), effect: 'read' },
    { ...acting('read that runs', own('telepathy', 'execute'), ['ask', 'ask']), effect: 'read' },
  ];

  function reading(
    action: string,
    accesses: Row['accesses'],
    [restricted, trusted]: [Decision, Decision],
  ): Row {
    return { action, accesses, effect: 'read', restricted, trusted, edits: trusted };
  }

  /** Off in Restricted Mode, whatever it is. */
  function acting(
    action: string,
    accesses: Row['accesses'],
    [trusted, edits]: [Decision, Decision],
    effect: Effect = 'write',
  ): Row {
    return { action, accesses, effect, restricted: 'deny', trusted, edits };
  }

  async function decide(row: Row, rules: Partial<ApprovalRules>, granted: readonly Grant[]): Promise<string> {
    const request: ApprovalRequest = {
      call: { id: 'a', name: 'x', arguments: {}, start: 0, end: 0, notes: [], mark: 'clean' },
      effect: row.effect,
      title: 'x',
      accesses: await row.accesses(),
    };
    const usual: ApprovalRules = {
      isTrusted: true,
      mode: 'auto',
      requireConfirmation: true,
      recovery: 'ask',
    };
    return judgeCall(request, { ...usual, ...rules }, granted).verdict.decision;
  }

  for (const row of rows) {
    it(`G2.restricted ${row.action} → ${row.restricted}`, async () => {
      assert.equal(await decide(row, { isTrusted: false }, []), row.restricted);
      // No setting and no grant loosens it.
      const loosened = { isTrusted: false, requireConfirmation: false };
      assert.equal(await decide(row, loosened, [{ type: 'edits-in-session' }]), row.restricted);
    });
    it(`G5.trusted ${row.action} → ${row.trusted}, with edits allowed ${row.edits}`, async () => {
      assert.equal(await decide(row, {}, []), row.trusted);
      assert.equal(await decide(row, {}, [{ type: 'edits-in-session' }]), row.edits);
      assert.equal(await decide(row, { requireConfirmation: false }, []), row.edits);
    });
  }

  it('G2.restricted holds for the tools themselves', async () => {
    const scratch = await ScratchWorkspace.create({ 'a.txt': 'a\n', '.env': 'K=1\n' });
    try {
      const outside = path.join(folder, 'outside/x');
      for (const [name, input, expected] of [
        ['read_file', { path: 'a.txt' }, 'auto auto'],
        ['read_file', { path: '.env' }, 'ask ask'],
        ['read_file', { path: outside }, 'deny ask'],
        ['read_folder', { path: path.dirname(outside) }, 'deny ask'],
        ['find_files', { glob: '*', path: path.dirname(outside) }, 'deny ask'],
        ['search_text', { query: 'x', path: path.dirname(outside) }, 'deny ask'],
        ['write_file', { path: 'new.txt', content: 'x' }, 'deny ask'],
        ['edit_file', { path: 'a.txt', edits: [{ old: 'a', new: 'b' }] }, 'deny ask'],
        ['move_path', { from: 'a.txt', to: 'b.txt' }, 'deny ask'],
        ['delete_path', { path: 'a.txt' }, 'deny ask'],
        ['eval_js', { code: '1' }, 'auto auto'],
        ['run_shell_command', { command: 'ls' }, 'deny ask'],
      ] as const) {
        const { accesses } = await scratch.prepare(name, input);
        const effect = scratch.registry.resolve(name)?.effect ?? 'read';
        const row = reading(name, async () => accesses, ['auto', 'auto']);
        const decisions = [
          await decide({ ...row, effect }, { isTrusted: false }, []),
          await decide({ ...row, effect }, {}, []),
        ];
        assert.equal(decisions.join(' '), expected, `${name} ${JSON.stringify(input)}`);
      }
    } finally {
      await scratch.dispose();
    }
  });
});
