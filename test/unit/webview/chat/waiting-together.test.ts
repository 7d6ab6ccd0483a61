import { deepEqual, equal } from 'node:assert/strict';
import { foldEvents } from '../../../../src/core/transcript/fold-events';
import type { Transcript } from '../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { ToolCall } from '../../../../src/core/words/messages';
import type { Access } from '../../../../src/core/words/tool';
import { runnableTogether, waitingIn } from '../../../../src/webview/chat/waiting-together';
import { toolCall } from '../../../support/agent/chat-events';
import { waitingTogether, type WaitingApproval } from '../../../support/pages/approval-states';

let calls = 0;

function call(name: string, values: ToolCall['arguments'] = {}, more: Partial<ToolCall> = {}): ToolCall {
  return { ...toolCall(name, values), id: `t${++calls}`, ...more };
}

function place(verdict: Partial<Access['verdict']>, more: Partial<Access> = {}): Access {
  return {
    effect: 'read',
    kind: 'path',
    target: '/lib/a.ts',
    verdict: { decision: 'ask', reason: 'because', ...verdict },
    ...more,
  };
}

const outside = place({ isOutside: true, grant: { type: 'read-folder-in-session', path: '/lib' } });
const read: WaitingApproval = { effect: 'read', accesses: [outside], reason: 'outside the workspace' };
const edit: WaitingApproval = {
  effect: 'write',
  accesses: [place({ decision: 'auto' }, { effect: 'write', kind: 'edit' })],
  preview: { type: 'diff', path: 'a.ts', before: 'a\n', after: 'b\nc\n' },
  reason: 'it changes a file',
};

function run(command: string): WaitingApproval {
  return {
    effect: 'execute',
    accesses: [place({}, { effect: 'execute', kind: 'command', target: command })],
    preview: { type: 'command', command, cwd: '.', commands: [[command]] },
    reason: 'no rule matches',
  };
}

function waiting(...asked: readonly (readonly [ToolCall, WaitingApproval])[]): Transcript {
  return foldEvents(waitingTogether(...asked));
}

function together(...asked: readonly (readonly [ToolCall, WaitingApproval])[]): string {
  const { calls, kind } = runnableTogether(waitingIn(waiting(...asked)).approvals);
  return `${calls.length} ${kind}`;
}

describe('calls that are answered together', () => {
  const rows: readonly {
    readonly name: string;
    readonly asked: readonly (readonly [ToolCall, WaitingApproval])[];
    readonly expect: string;
  }[] = [
    { name: 'reads', asked: [[call('a'), read], [call('b'), read]], expect: '2 reads' }, // prettier-ignore
    { name: 'edits', asked: [[call('a'), edit], [call('b'), edit]], expect: '2 edits' }, // prettier-ignore
    { name: 'commands', asked: [[call('a'), run('ls')], [call('b'), run('pwd')]], expect: '2 commands' }, // prettier-ignore
    { name: 'several kinds', asked: [[call('a'), read], [call('b'), edit]], expect: '2 calls' }, // prettier-ignore
  ];
  for (const { name, asked, expect } of rows) {
    it(`are named by what they are: ${name}`, () => equal(together(...asked), expect));
  }

  const apart: readonly { readonly name: string; readonly asked: readonly [ToolCall, WaitingApproval] }[] = [
    { name: 'repaired', asked: [call('a', {}, { mark: 'repaired' }), read] },
    { name: 'recovered', asked: [call('a', {}, { mark: 'recovered' }), read] },
    { name: 'echoed', asked: [call('a', {}, { mark: 'echoed' }), read] },
    { name: 'changed by the user', asked: [call('a'), { ...read, edited: { path: 'x' } }] },
    { name: 'a change that could not be', asked: [call('a'), { ...read, problem: 'No file.' }] },
    { name: 'a protected place', asked: [call('a'), { ...read, accesses: [place({ note: 'git hooks' })] }] },
    { name: 'a secret file', asked: [call('a'), { ...read, accesses: [place({})] }] },
    {
      name: 'a secret file outside',
      asked: [
        call('a'),
        {
          ...read,
          accesses: [place({ isOutside: true, grant: { type: 'read-file-in-session', path: '/x/.env' } })],
        },
      ],
    },
    {
      name: 'a file that decides what runs',
      asked: [
        call('a'),
        { ...edit, accesses: [place({ decision: 'auto', runsCode: true }, { kind: 'edit' })] },
      ],
    },
    {
      name: 'a change that is run later',
      asked: [
        call('a'),
        { ...edit, preview: { type: 'diff', path: 'a', before: '', after: 'x', runsCode: true } },
      ],
    },
    {
      name: 'a deletion',
      asked: [call('a'), { ...edit, accesses: [place({ decision: 'auto' }, { kind: 'move' })] }],
    },
    {
      name: 'a place with a remark',
      asked: [call('a'), { ...read, accesses: [{ ...outside, notes: ['x'] }] }],
    },
    { name: 'a command of two lines', asked: [call('a'), run('ls\nrm -rf x')] },
    { name: 'a command that is long', asked: [call('a'), run(`ls ${' '.repeat(300)}; rm -rf x`)] },
    {
      name: 'arguments that are long',
      asked: [
        call('mcp_a_b', { body: 'x'.repeat(300) }),
        { ...read, accesses: [place({}, { kind: 'mcp' })] },
      ],
    },
    {
      name: 'an unknown kind',
      asked: [call('a'), { ...read, accesses: [place({}, { kind: 'agent' })] }],
    },
  ];
  for (const { name, asked } of apart) {
    it(`leave out calls that need a separate answer: ${name}`, () => {
      equal(together([call('r'), read], asked, [call('s'), read]), '2 reads');
    });
  }

  it('leave out calls of a reply that the user edited', () => {
    const events = waitingTogether([call('a'), read], [call('b'), read]).map((event): AgentEvent =>
      event.type === 'round-start' ? { ...event, isMended: true } : event,
    );
    equal(runnableTogether(waitingIn(foldEvents(events)).approvals).calls.length, 0);
  });

  it('are summarized in one line', () => {
    const { approvals } = waitingIn(
      waiting(
        [call('a'), read],
        [call('b'), edit],
        [call('c'), run('ls \u202e-a')],
        [call('d', { n: 1 }), { ...read, accesses: [] }],
      ),
    );
    deepEqual(
      approvals.map(({ line }) => line),
      ['/lib/a.ts', 'a.ts +2 −1', 'ls ⟨U+202E⟩-a (.)', '{"n":1}'],
    );
  });

  it('are found in the agents that calls have started', () => {
    const agent = call('call_sub_agent', { task: 'look' });
    const inner = waitingTogether([call('a'), read], [call('b'), read]);
    const events: AgentEvent[] = [
      ...waitingTogether([agent, read]).slice(0, -1),
      { type: 'tool-start', callId: agent.id, title: 'Sub-agent' },
      ...inner.map((event): AgentEvent => ({ type: 'sub-agent', callId: agent.id, event })),
    ];
    equal(waitingIn(foldEvents(events)).approvals.length, 2);
  });
});
