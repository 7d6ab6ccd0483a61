import type { ApprovalRequest } from '../../../src/core/words/approval';
import type { AgentEvent } from '../../../src/core/words/events';
import type { ToolCall } from '../../../src/core/words/messages';
import type { Grant } from '../../../src/core/words/verdict';
import { replyEnd, roundStart, runStart, toolCall } from '../agent/chat-events';
import type { PageState } from './chat-states';

const size = { total: 9_400, tools: 3_100, fixed: 4_000, raw: 9_400, isRough: false };
const round: AgentEvent = { ...roundStart, protocol: 'hermes', model: 'qwen3-coder', size, window: 32_768 };

/** A waiting call, in the form of the host's request. */
export interface WaitingApproval extends Omit<ApprovalRequest, 'call' | 'title'> {
  readonly title?: string;
  readonly reason: string;
  readonly grants?: readonly Grant[];
}

let calls = 0;

function call(name: string, values: ToolCall['arguments'], more: Partial<ToolCall> = {}): ToolCall {
  return { ...toolCall(name, values), id: `w${++calls}`, ...more };
}

/** One reply whose calls all wait at the same time. */
export function waitingTogether(...waiting: readonly (readonly [ToolCall, WaitingApproval])[]): AgentEvent[] {
  return [
    runStart('Fix it'),
    round,
    { type: 'text', text: 'I would do this:' },
    ...waiting.map(([of], index): AgentEvent => ({ type: 'call-end', index, call: of })),
    replyEnd,
    ...waiting.map(([of, { reason, grants = [], title = of.name, ...asked }]): AgentEvent => ({
      type: 'approval-request',
      request: { call: of, title, ...asked },
      reason,
      grants,
    })),
  ];
}

const LONG = Array.from({ length: 120 }, (_, line) => `export const value${line} = ${line * 7};\n`);
const inside = { decision: 'auto', reason: 'inside the workspace' } as const;

const edit = call('edit_file', { path: 'src/values.ts', edits: [{ old: '7', new: '8' }] });
const write = call('write_file', { path: 'src/generated/values.ts', content: LONG.join('') });
const SCRIPT = 'npm run build -- --mode production && npm test -- --grep parser && git status --short';
const command = call('run_shell_command', { command: SCRIPT });
const question = call('ask_user', { question: 'Which name should the new helper have?' });
const issue = call('mcp_github_create_issue', {
  owner: 'octo',
  repo: 'parser',
  title: 'The parser loses the last line',
  body: 'Steps to see it, and what was expected instead.\n'.repeat(30),
  labels: ['bug', 'parser'],
});

const longCommand: readonly [ToolCall, WaitingApproval] = [
  command,
  {
    effect: 'execute',
    title: 'Run npm run build',
    accesses: [],
    preview: {
      type: 'command',
      command: SCRIPT,
      cwd: '.',
      commands: [
        ['npm', 'run', 'build', '--', '--mode', 'production'],
        ['npm', 'test', '--', '--grep', 'parser'],
        ['git', 'status', '--short'],
      ],
    },
    reason: 'no rule matches npm run build',
    grants: [
      {
        type: 'allow-commands',
        rules: [
          { text: 'npm run build', runsCode: true },
          { text: 'npm test', runsCode: true },
          { text: 'git status', runsCode: false },
        ],
      },
    ],
  },
];

const longEdit: readonly [ToolCall, WaitingApproval] = [
  edit,
  {
    effect: 'write',
    title: 'Edit src/values.ts',
    accesses: [{ effect: 'write', target: 'src/values.ts', kind: 'edit', verdict: inside }],
    preview: {
      type: 'diff',
      path: 'src/values.ts',
      before: LONG.join(''),
      after: LONG.map((line, at) => (at % 9 === 0 ? line.replace('value', 'changed') : line)).join(''),
    },
    reason: 'it changes a file',
    grants: [{ type: 'edits-in-session' }],
  },
];

const longWrite: readonly [ToolCall, WaitingApproval] = [
  write,
  {
    effect: 'write',
    title: 'Create src/generated/values.ts',
    accesses: [{ effect: 'write', target: 'src/generated/values.ts', kind: 'edit', verdict: inside }],
    preview: {
      type: 'diff',
      path: 'src/generated/values.ts',
      before: '',
      after: LONG.join(''),
      runsCode: true,
    },
    reason: 'it changes a file',
    grants: [{ type: 'edits-in-session' }],
  },
];

const ofServer: readonly [ToolCall, WaitingApproval] = [
  issue,
  {
    effect: 'network',
    title: 'create_issue of github',
    accesses: [
      {
        effect: 'network',
        target: 'github: create_issue',
        kind: 'mcp',
        verdict: { decision: 'ask', reason: 'a tool of an MCP server' },
      },
    ],
    reason: 'a tool of an MCP server',
    grants: [
      { type: 'allow-mcp-tool', server: 'github', tool: 'create_issue', digest: 'd' },
      { type: 'mcp-server-in-session', server: 'github', digest: 'd' },
    ],
  },
];

function outside(
  name: string,
  path: string,
  more: Partial<ToolCall> = {},
): readonly [ToolCall, WaitingApproval] {
  return [
    call(name, { path }, more),
    {
      effect: 'read',
      title: `Read ${path}`,
      accesses: [
        {
          effect: 'read',
          target: path,
          kind: 'path',
          verdict: { decision: 'ask', reason: 'outside the workspace', isOutside: true },
        },
      ],
      reason: 'outside the workspace',
      grants: [{ type: 'read-folder-in-session', path: '/home/someone/lib' }],
    },
  ];
}

/** Waiting cards, each at its maximum size. */
export const approvalStates: readonly PageState[] = [
  { name: 'a long command', events: waitingTogether(longCommand) },
  { name: 'a long edit', events: waitingTogether(longEdit) },
  { name: 'a long new file', events: waitingTogether(longWrite) },
  { name: 'a call of an MCP server', events: waitingTogether(ofServer) },
  {
    name: 'a question with options',
    events: [
      ...waitingTogether([question, { effect: 'read', accesses: [], reason: '' }]).slice(0, -1),
      { type: 'tool-start', callId: question.id, title: 'Ask' },
      {
        type: 'question',
        callId: question.id,
        question: 'Which name should the new helper have? It splits a text into its lines. '.repeat(4),
        options: ['lines', 'splitLines', 'textLines', 'None of these, I will write it myself'],
      },
    ],
  },
  {
    name: 'three reads outside',
    events: waitingTogether(
      outside('read_file', '/home/someone/lib/parser.ts'),
      outside('read_file', '/home/someone/lib/lines.ts'),
      outside('read_folder', '/home/someone/lib/test'),
    ),
  },
  {
    name: 'reads, one of them repaired',
    events: waitingTogether(
      outside('read_file', '/home/someone/lib/parser.ts'),
      outside('read_file', '/home/someone/lib/lines.ts'),
      outside('read_file', '/home/someone/lib/secret.ts', { mark: 'repaired' }),
    ),
  },
];
