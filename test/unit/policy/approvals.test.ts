import assert from 'node:assert/strict';
import type { ApprovalRequest } from '../../../src/core/words/approval';
import type { ToolCall } from '../../../src/core/words/messages';
import type { Access, Effect } from '../../../src/core/words/tool';
import type { Grant, Verdict } from '../../../src/core/words/verdict';
import { judgeCall, type ApprovalRules } from '../../../src/policy/approvals';

const trusted: ApprovalRules = { isTrusted: true, mode: 'auto', requireConfirmation: true, recovery: 'ask' };

function request(
  effect: Effect,
  kind: Access['kind'],
  decision: Verdict['decision'],
  mark: ToolCall['mark'] = 'clean',
): ApprovalRequest {
  return {
    call: { id: 'a', name: 'x', arguments: {}, start: 0, end: 0, notes: [], mark },
    effect,
    title: 'x',
    accesses: [{ effect, kind, target: 't', verdict: { decision, reason: 'because' } }],
  };
}

const rows: {
  name: string;
  request: ApprovalRequest;
  rules?: Partial<ApprovalRules>;
  granted?: boolean;
  expect: string;
}[] = [
  { name: 'runs a read inside', request: request('read', 'path', 'auto'), expect: 'auto' },
  { name: 'asks for a read that the place asks for', request: request('read', 'path', 'ask'), expect: 'ask' },
  {
    name: 'asks for an ordinary edit and offers to allow edits',
    request: request('write', 'edit', 'auto'),
    expect: 'ask edits-in-session',
  },
  {
    name: 'runs an ordinary edit once edits are allowed',
    request: request('write', 'edit', 'auto'),
    granted: true,
    expect: 'auto',
  },
  {
    name: 'runs an ordinary edit without requireConfirmation',
    request: request('write', 'edit', 'auto'),
    rules: { requireConfirmation: false },
    expect: 'auto',
  },
  {
    name: 'G8.edits-allowed: asks for a protected edit all the same, and offers nothing',
    request: request('write', 'edit', 'ask'),
    granted: true,
    expect: 'ask',
  },
  {
    name: 'asks for a move even when edits are allowed',
    request: request('write', 'move', 'auto'),
    granted: true,
    expect: 'ask moves-in-session',
  },
  {
    name: 'refuses what the place denies',
    request: request('write', 'edit', 'deny'),
    granted: true,
    expect: 'deny',
  },
  {
    name: 'runs a command that a rule lets through',
    request: request('execute', 'command', 'auto'),
    expect: 'auto',
  },
  { name: 'asks for any other command', request: request('execute', 'command', 'ask'), expect: 'ask' },
  {
    name: 'G28.mark: asks for a repaired call that acts',
    request: request('execute', 'command', 'auto', 'repaired'),
    expect: 'ask',
  },
  { name: 'runs a repaired read', request: request('read', 'path', 'auto', 'repaired'), expect: 'auto' },
  { name: 'asks for a recovered read', request: request('read', 'path', 'auto', 'recovered'), expect: 'ask' },
  {
    name: 'runs a recovered read if recovery allows it',
    request: request('read', 'path', 'auto', 'recovered'),
    rules: { recovery: 'run' },
    expect: 'auto',
  },
  {
    name: 'G28.mark: asks for a recovered call that acts, whatever recovery says',
    request: request('write', 'edit', 'auto', 'recovered'),
    rules: { recovery: 'run', requireConfirmation: false },
    expect: 'ask',
  },
  {
    name: 'asks for a read that was quoted in a file the model has seen',
    request: request('read', 'path', 'auto', 'echoed'),
    rules: { recovery: 'run' },
    expect: 'ask',
  },
  {
    name: 'G2.untrusted: refuses edits and commands in Restricted Mode',
    request: request('execute', 'command', 'auto'),
    rules: { isTrusted: false },
    expect: 'deny',
  },
  {
    name: 'reads in Restricted Mode',
    request: request('read', 'path', 'auto'),
    rules: { isTrusted: false },
    expect: 'auto',
  },
  {
    name: 'asks for everything in manual mode',
    request: request('read', 'path', 'auto'),
    rules: { mode: 'manual' },
    expect: 'ask',
  },
  {
    name: 'offers nothing that would not let this call run: an edit in manual mode',
    request: request('write', 'edit', 'auto'),
    rules: { mode: 'manual' },
    expect: 'ask',
  },
  {
    name: 'offers nothing for an edit whose text was repaired',
    request: request('write', 'edit', 'auto', 'repaired'),
    expect: 'ask',
  },
  {
    name: 'asks for an action that names nothing it touches',
    request: { ...request('network', 'url', 'auto'), accesses: [] },
    expect: 'ask',
  },
];

/** The decision for a kind of call in each combination; the columns are explained below. */
const kinds: readonly { readonly name: string; readonly request: ApprovalRequest; readonly row: string }[] = [
  { name: 'read inside', request: request('read', 'path', 'auto'), row: '.... ???? .... ????' },
  { name: 'read that asks', request: request('read', 'path', 'ask'), row: '???? ???? ???? ????' },
  { name: 'read that is refused', request: request('read', 'path', 'deny'), row: 'xxxx xxxx xxxx xxxx' },
  {
    name: 'read of nothing',
    request: { ...request('read', 'path', 'auto'), accesses: [] },
    row: '.... ???? .... ????',
  },
  { name: 'ordinary edit', request: request('write', 'edit', 'auto'), row: '?... ???? xxxx xxxx' },
  { name: 'protected edit', request: request('write', 'edit', 'ask'), row: '???? ???? xxxx xxxx' },
  { name: 'edit outside', request: request('write', 'edit', 'deny'), row: 'xxxx xxxx xxxx xxxx' },
  { name: 'delete or move', request: request('write', 'move', 'auto'), row: '???? ???? xxxx xxxx' },
  { name: 'command by a rule', request: request('execute', 'command', 'auto'), row: '.... ???? xxxx xxxx' },
  { name: 'other command', request: request('execute', 'command', 'ask'), row: '???? ???? xxxx xxxx' },
  { name: 'denied command', request: request('execute', 'command', 'deny'), row: 'xxxx xxxx xxxx xxxx' },
  { name: 'fetch', request: request('network', 'url', 'ask'), row: '???? ???? xxxx xxxx' },
  {
    name: 'unknown action',
    request: { ...request('execute', 'command', 'auto'), accesses: [] },
    row: '???? ???? xxxx xxxx',
  },
];

/** Trusted in auto and manual mode, restricted in auto and manual mode. In each: as it is, without confirmation, edits granted, both. */
const combinations = [true, false].flatMap((isTrusted) =>
  (['auto', 'manual'] as const).flatMap((mode) =>
    [false, true].flatMap((granted) =>
      [true, false].map((requireConfirmation) => ({
        rules: { ...trusted, isTrusted, mode, requireConfirmation },
        granted,
      })),
    ),
  ),
);

const SIGNS = { auto: '.', ask: '?', deny: 'x' } as const;

const edits: Grant = { type: 'edits-in-session' };
const moves: Grant = { type: 'moves-in-session' };
const rule: Grant = { type: 'allow-commands', rules: [{ text: 'git status', runsCode: false }] };
const secretFile: Grant = { type: 'read-file-in-session', path: '/ws/.env' };
const folder = (path: string): Grant => ({ type: 'read-folder-in-session', path });

const tool: Grant = { type: 'allow-mcp-tool', server: 's', tool: 't', digest: 'tool' };
const server: Grant = { type: 'mcp-server-in-session', server: 's', digest: 'server' };

/** A call that asks, and that these grants could allow. */
function asking(effect: Effect, kind: Access['kind'], grant: Grant, wider?: Grant): ApprovalRequest {
  const verdict: Verdict = { decision: 'ask', reason: 'because', grant, ...(wider && { wider }) };
  return { ...request(effect, kind, 'ask'), accesses: [{ effect, kind, target: 't', verdict }] };
}

const granting: readonly {
  readonly name: string;
  readonly wanted: Grant;
  readonly granted: Grant;
  readonly expect: 'auto' | 'ask';
}[] = [
  { name: 'the same file', wanted: secretFile, granted: secretFile, expect: 'auto' },
  {
    name: 'another file',
    wanted: secretFile,
    granted: { ...secretFile, path: '/ws/.env.local' },
    expect: 'ask',
  },
  { name: 'a file by the folder it lies in', wanted: secretFile, granted: folder('/ws'), expect: 'ask' },
  { name: 'the same folder', wanted: folder('/lib/a'), granted: folder('/lib/a'), expect: 'auto' },
  { name: 'a folder below', wanted: folder('/lib/a/b/c'), granted: folder('/lib/a'), expect: 'auto' },
  { name: 'the folder above', wanted: folder('/lib'), granted: folder('/lib/a'), expect: 'ask' },
  { name: 'a folder of like name', wanted: folder('/lib/ab'), granted: folder('/lib/a'), expect: 'ask' },
  {
    name: 'a name with a backslash',
    wanted: folder('/lib/a\\b'),
    granted: folder('/lib/a'),
    expect: 'ask',
  },
  {
    name: 'a hidden folder below',
    wanted: folder('/lib/a/.ssh/x'),
    granted: folder('/lib/a'),
    expect: 'ask',
  },
  {
    name: 'a folder below on Windows',
    wanted: folder('C:\\lib\\a\\b'),
    granted: folder('C:\\lib\\a'),
    expect: 'auto',
  },
  { name: 'reading by edits', wanted: secretFile, granted: edits, expect: 'ask' },
  { name: 'a tool by all of its server', wanted: server, granted: server, expect: 'auto' },
  {
    name: 'a tool of a server that has changed since',
    wanted: { ...server, digest: 'changed' },
    granted: server,
    expect: 'ask',
  },
  { name: 'all tools of a server by one', wanted: server, granted: tool, expect: 'ask' },
  { name: 'a rule by another call with the same rule', wanted: rule, granted: { ...rule }, expect: 'ask' },
];

const rules = (...texts: readonly string[]) => texts.map((text) => ({ text, runsCode: false }));
const two: Grant = {
  type: 'allow-commands',
  rules: rules('echo', 'wc'),
  exact: rules('echo one', 'wc -c a'),
};
const scoped = (...texts: readonly string[]) => ({
  type: 'allow-commands' as const,
  scope: 'session' as const,
  rules: rules(...texts),
});

const commands: readonly {
  readonly name: string;
  readonly granted: readonly Grant[];
  readonly expect: string;
}[] = [
  { name: 'all of its rules', granted: [scoped('echo', 'wc')], expect: 'auto session' },
  { name: 'a rule each', granted: [scoped('wc'), scoped('echo')], expect: 'auto session' },
  { name: 'all of its exact rules', granted: [scoped('echo one', 'wc -c a', 'ls')], expect: 'auto session' },
  {
    name: 'rules of the workspace',
    granted: [{ ...scoped('echo', 'wc'), scope: 'workspace' as const }],
    expect: 'auto workspace',
  },
  {
    name: 'rules of both',
    granted: [scoped('echo'), { ...scoped('wc'), scope: 'workspace' }],
    expect: 'auto workspace',
  },
  { name: 'one of two rules', granted: [scoped('echo')], expect: 'ask' },
  { name: 'the exact rules of another command', granted: [scoped('echo two', 'wc -c a')], expect: 'ask' },
  { name: 'a longer rule', granted: [scoped('echo', 'wc -c')], expect: 'ask' },
  { name: 'no rules', granted: [scoped()], expect: 'ask' },
  { name: 'edits', granted: [edits, moves], expect: 'ask' },
];

describe('judgeCall', () => {
  for (const { name, granted, expect } of commands) {
    it(`G10.scope: ${expect === 'ask' ? 'asks about' : 'runs'} a command by ${name}`, () => {
      const asked = asking('execute', 'command', two);
      const { decision, reason } = judgeCall(asked, trusted, granted).verdict;
      assert.equal(
        decision === 'auto' ? reason : decision,
        expect.replace(/^auto /u, 'the user allowed it in this '),
      );
      const strict = [{ mode: 'manual' as const }, { isTrusted: false }].map(
        (rule) => judgeCall(asked, { ...trusted, ...rule }, granted).verdict.decision,
      );
      assert.deepEqual(strict, ['ask', 'deny']);
    });
  }

  for (const { name, request: asked, rules, granted = false, expect } of rows) {
    it(name, () => {
      const { verdict, grants } = judgeCall(asked, { ...trusted, ...rules }, granted ? [edits] : []);
      assert.equal([verdict.decision, ...grants.map(({ type }) => type)].join(' '), expect);
    });
  }

  for (const { name, request: asked, row } of kinds) {
    it(`decides in every combination of settings: ${name}`, () => {
      const signs = combinations.map(
        ({ rules, granted }) => SIGNS[judgeCall(asked, rules, granted ? [edits] : []).verdict.decision],
      );
      assert.equal(signs.join('').replace(/.{4}(?=.)/g, '$& '), row);
    });
  }

  for (const { name, wanted, granted, expect } of granting) {
    it(`a grant ${expect === 'auto' ? 'covers' : 'does not cover'} ${name}`, () => {
      const { verdict } = judgeCall(asking('read', 'path', wanted), trusted, [granted]);
      assert.equal(verdict.decision, expect);
    });
  }

  it('G5.moves: allowed moves and deletions run, but nothing else, and nothing that asks each time', () => {
    const decide = (asked: ApprovalRequest, rules = trusted): string =>
      judgeCall(asked, rules, [moves]).verdict.decision;
    assert.equal(decide(request('write', 'move', 'auto')), 'auto');
    assert.equal(decide(request('write', 'move', 'ask')), 'ask');
    assert.equal(decide(request('write', 'move', 'deny')), 'deny');
    assert.equal(decide(request('write', 'move', 'auto', 'repaired')), 'ask');
    assert.equal(decide(request('write', 'move', 'auto'), { ...trusted, mode: 'manual' }), 'ask');
    assert.equal(decide(request('write', 'move', 'auto'), { ...trusted, isTrusted: false }), 'deny');
    assert.equal(decide(request('write', 'edit', 'auto')), 'ask');
    assert.equal(decide(asking('read', 'path', secretFile)), 'ask');
    assert.deepEqual(judgeCall(request('write', 'move', 'ask'), trusted, []).grants, []);
  });

  it('says what lets a call run that does more than read the workspace', () => {
    const why = (asked: ApprovalRequest, rules: Partial<ApprovalRules>, granted: readonly Grant[]): string =>
      judgeCall(asked, { ...trusted, ...rules }, granted).verdict.reason;
    const edit = request('write', 'edit', 'auto');
    assert.equal(why(edit, {}, [{ type: 'edits-in-session' }]), 'edits are allowed in this session');
    assert.equal(why(edit, { requireConfirmation: false }, []), 'the settings let edits run unasked');
    assert.equal(why(request('execute', 'command', 'auto'), {}, []), 'because');
    assert.equal(
      why(asking('read', 'path', secretFile), {}, [secretFile]),
      'the user allowed it in this session',
    );
    assert.equal(why(request('read', 'path', 'auto'), {}, []), 'it only reads inside the workspace');
  });

  it('offers what would let the call run', () => {
    assert.deepEqual(judgeCall(asking('execute', 'command', rule), trusted, []).grants, [rule]);
    assert.deepEqual(judgeCall(asking('read', 'path', secretFile), trusted, []).grants, [secretFile]);
  });

  it('G10.offer: offers no rule if it would not be enough', () => {
    const command = asking('execute', 'command', rule);
    const other = asking('read', 'path', folder('/lib/a'));
    const both = { ...command, accesses: [...other.accesses, ...command.accesses] };
    const marked = { ...command, call: { ...command.call, mark: 'recovered' } as const };
    assert.deepEqual(judgeCall(both, trusted, []).grants, []);
    assert.deepEqual(judgeCall(marked, trusted, []).grants, []);
    assert.deepEqual(judgeCall(command, { ...trusted, mode: 'manual' }, []).grants, []);
    assert.deepEqual(judgeCall(command, { ...trusted, isTrusted: false }, []).grants, []);
  });
});
