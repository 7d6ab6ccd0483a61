import assert from 'node:assert/strict';
import type { ApprovalRequest, Verdict } from '../../../src/core/approval';
import type { ToolCall } from '../../../src/core/messages';
import type { Access, Effect } from '../../../src/core/tool';
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
    expect: 'auto edits-in-session',
  },
  {
    name: 'runs an ordinary edit without requireConfirmation',
    request: request('write', 'edit', 'auto'),
    rules: { requireConfirmation: false },
    expect: 'auto edits-in-session',
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
    expect: 'ask',
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
    name: 'runs a recovered read where recovery says so',
    request: request('read', 'path', 'auto', 'recovered'),
    rules: { recovery: 'run' },
    expect: 'auto',
  },
  {
    name: 'G28.mark: asks for a recovered call that acts, whatever recovery says',
    request: request('write', 'edit', 'auto', 'recovered'),
    rules: { recovery: 'run', requireConfirmation: false },
    expect: 'ask edits-in-session',
  },
  {
    name: 'asks for a read that stood in a file the model has seen',
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
    name: 'asks for an action that names nothing it touches',
    request: { ...request('network', 'url', 'auto'), accesses: [] },
    expect: 'ask',
  },
];

describe('judgeCall', () => {
  for (const { name, request: asked, rules, granted = false, expect } of rows) {
    it(name, () => {
      const { verdict, grants } = judgeCall(
        asked,
        { ...trusted, ...rules },
        new Set(granted ? ['edits-in-session'] : []),
      );
      assert.equal([verdict.decision, ...grants].join(' '), expect);
    });
  }
});
