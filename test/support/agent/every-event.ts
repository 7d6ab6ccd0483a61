import type { AgentEvent } from '../../../src/core/words/events';
import type { ToolCall } from '../../../src/core/words/messages';

const diagnostic = {
  code: 'closed-late',
  level: 'info',
  message: 'The call was closed late.',
  hint: 'Close it.',
  seen: 'vcp',
  start: 3,
  end: 9,
} as const;

const call: ToolCall = {
  id: 'c1',
  name: 'edit_file',
  arguments: { path: 'a.txt', edits: [{ old: 'x\ud800', new: 'ä\n"' }], __proto__x: null },
  start: 0,
  end: 70,
  notes: [diagnostic],
  mark: 'repaired',
};

const grants = [
  { type: 'edits-in-session' },
  { type: 'moves-in-session' },
  { type: 'read-file-in-session', path: '/w/.env' },
  { type: 'read-folder-in-session', path: '/x' },
  { type: 'fetch-origin-in-session', origin: 'https://example.com' },
  { type: 'mcp-server-in-session', server: 'github', digest: 'd' },
  {
    type: 'allow-commands',
    rules: [{ text: 'git status', runsCode: false }],
    exact: [{ text: 'git status -s', runsCode: false }],
  },
] as const;

const result = {
  requestId: 'c1',
  toolName: 'edit_file',
  status: 'success',
  result: 'Edited.',
  durationMs: 12.5,
} as const;

/** One event of every type, in an order in which they could happen. */
const byType: { readonly [T in AgentEvent['type']]: Extract<AgentEvent, { type: T }> } = {
  'run-start': {
    type: 'run-start',
    text: 'Change it.\nPlease.',
    attachments: [
      { type: 'text', source: 'file', label: 'a.txt', text: 'x\ny' },
      { type: 'image', label: 'b.png', image: { mediaType: 'image/png', data: 'iVBORw0=' } },
      { type: 'missing', label: 'c.txt', problem: 'There is no such file.' },
    ],
    time: 1_700_000_000_000,
  },
  'round-start': { type: 'round-start', round: 1, maxRounds: 50, protocol: 'vcp', model: 'demo' },
  retry: { type: 'retry', attempt: 2, of: 5, waitMs: 900, message: 'Busy.' },
  progress: { type: 'progress', stage: 'reading', prompt: { read: 200, all: 900, cached: 100 } },
  reasoning: { type: 'reasoning', text: 'Hm. ' },
  'reasoning-end': { type: 'reasoning-end', text: 'Hm. ' },
  text: { type: 'text', text: 'I will. 🙂 \u2028' },
  'call-start': { type: 'call-start', index: 0, name: 'edit_file' },
  'call-delta': { type: 'call-delta', index: 0, key: 'path', text: 'a.txt' },
  'call-end': { type: 'call-end', index: 0, call },
  malformed: {
    type: 'malformed',
    index: 1,
    malformed: { id: 'c2', name: '', diagnostic: { ...diagnostic, level: 'error' } },
  },
  warning: { type: 'warning', diagnostic: { ...diagnostic, level: 'warning' } },
  'reply-end': {
    type: 'reply-end',
    reason: 'tool-calls',
    raw: '<<<[TOOL_REQUEST]>>>',
    usage: { inputTokens: 7, outputTokens: 9, cost: 0.001 },
  },
  advice: { type: 'advice', protocol: 'json', message: 'Another would suit it.' },
  'approval-request': {
    type: 'approval-request',
    reason: 'edits ask',
    grants,
    request: {
      call,
      effect: 'write',
      title: 'Edit a.txt',
      accesses: [
        {
          effect: 'write',
          target: 'a.txt',
          kind: 'edit',
          verdict: { decision: 'ask', reason: 'edits ask', grant: grants[0], runsCode: true },
        },
      ],
      preview: { type: 'diff', path: 'a.txt', before: 'x', after: 'y', runsCode: true },
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
      edited: { path: 'b.txt' },
      problem: 'No such file.',
    },
  },
  'approval-end': {
    type: 'approval-end',
    callId: 'c1',
    decision: { type: 'run', by: 'user', reason: '' },
  },
  'tool-start': { type: 'tool-start', callId: 'c1', title: 'Edit a.txt' },
  'tool-output': { type: 'tool-output', callId: 'c1', text: 'working\n' },
  question: { type: 'question', callId: 'c1', question: 'Which?', options: ['one', 'two'] },
  'question-end': { type: 'question-end', callId: 'c1', answer: 'one' },
  'sub-agent': {
    type: 'sub-agent',
    callId: 'c1',
    event: { type: 'sub-agent', callId: 'c3', event: { type: 'text', text: 'Deep.' } },
  },
  'file-change': {
    type: 'file-change',
    callId: 'c1',
    change: { path: '/w/a.txt', display: 'a.txt', before: 'absent', after: 'ab12' },
  },
  'tool-end': { type: 'tool-end', callId: 'c1', result },
  'run-resume': { type: 'run-resume', time: 1_700_000_000_001 },
  'run-end': { type: 'run-end', outcome: { type: 'budget', message: 'Enough.', canContinue: true } },
  'compaction-start': { type: 'compaction-start' },
  compaction: { type: 'compaction', entries: 2, summary: 'It was changed.', before: 9_000, after: 900 },
  'compaction-undo': { type: 'compaction-undo' },
  restore: {
    type: 'restore',
    entry: 0,
    changes: [{ path: '/w/a.txt', display: 'a.txt', before: 'ab12', mode: 0o644, after: 'absent' }],
    left: [{ display: 'b.txt', reason: 'It has become a link.' }],
  },
  keep: { type: 'keep', entry: 0, paths: ['/w/a.txt'] },
  rewind: { type: 'rewind', entry: 0 },
};

export const everyEvent: readonly AgentEvent[] = Object.values(byType);
