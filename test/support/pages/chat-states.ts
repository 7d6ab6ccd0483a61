import type { HostToChat } from '../../../src/contract/chat';
import { foldEvents } from '../../../src/core/transcript/fold-events';
import type { AgentEvent } from '../../../src/core/words/events';
import type { ToolCall } from '../../../src/core/words/messages';
import { replyEnd, roundStart, runStart, toolCall, toolEnd } from '../agent/chat-events';
import { idle } from './chat-harness';

/** A state of the page: its events, and the other messages of the host. */
export interface PageState {
  readonly name: string;
  readonly events: readonly AgentEvent[];
  readonly messages?: readonly HostToChat[];
  /** The text of the message box. */
  readonly draft?: string;
}

const end = (
  outcome: Extract<AgentEvent, { type: 'run-end' }>['outcome'] = { type: 'done' },
): AgentEvent => ({
  type: 'run-end',
  outcome,
});

const size = { total: 9_400, tools: 3_100, fixed: 4_000, raw: 9_400, isRough: false };
const round: AgentEvent = { ...roundStart, protocol: 'hermes', model: 'qwen3-coder', size, window: 32_768 };
const usage = { inputTokens: 9_210, outputTokens: 640 };

let calls = 0;
function call(name: string, values: ToolCall['arguments'], more: Partial<ToolCall> = {}): ToolCall {
  return { ...toolCall(name, values), id: `s${++calls}`, ...more };
}

function reply(text: string, ...written: readonly ToolCall[]): AgentEvent[] {
  const parts = written.map((each, index): AgentEvent => ({ type: 'call-end', index, call: each }));
  return [round, { type: 'text', text }, ...parts, { ...replyEnd, usage }];
}

function ran(of: ToolCall, status: 'success' | 'error' | 'denied', result: string): AgentEvent[] {
  const start: AgentEvent = { type: 'tool-start', callId: of.id, title: of.name };
  return status === 'denied' ? [toolEnd(of, status, result)] : [start, toolEnd(of, status, result)];
}

function inSandbox(of: ToolCall, result: string, sites: readonly string[]): AgentEvent {
  const ended = toolEnd(of, 'success', result);
  return ended.type === 'tool-end' ? { ...ended, result: { ...ended.result, sandbox: { sites } } } : ended;
}

const ANSWER = `## What was wrong

The parser dropped the **last** line when a file had no final newline:

\`\`\`ts
export function lines(text: string): string[] {
  // Without the last part "a\\nb" was one line.
  return text.split('\\n').slice(0, -1);
}
\`\`\`

1. \`lines\` keeps the last part unless it is empty.
2. A test covers files *without* a final newline.

| file | lines | before |
| --- | ---: | ---: |
| \`a.txt\` | 3 | 2 |
| \`b.txt\` | 1 | 0 |

> Nothing else calls \`lines\`. See the [notes](https://example.com/notes).
`;

const read = call('read_file', { path: 'src/parser.ts' });
const edit = call('edit_file', { path: 'src/parser.ts', old: '.slice(0, -1)', new: '' });
const test = call('run_shell_command', { command: 'npm test -- --grep parser && git status --short' });

const build = call('run_shell_command', { command: 'make' });
const check = call('run_shell_command', { command: 'make check' });
const lint = call('run_shell_command', { command: 'make lint' });

const hook = call('move_path', { from: 'check.sh', to: '.husky/pre-commit' });

const worked: AgentEvent[] = [
  runStart('The parser loses the last line of some files. Find out why, fix it and run the tests.'),
  round,
  { type: 'reasoning', text: 'First the code, then a test that fails, then the change.' },
  { type: 'text', text: 'Let me look at the parser.' },
  { type: 'call-end', index: 0, call: read },
  { ...replyEnd, usage },
  ...ran(read, 'success', 'src/parser.ts: 3 lines, 120 bytes, utf-8, LF\n1\texport function lines…'),
  ...reply('That is the mistake: the last part is always dropped.', edit),
  ...ran(
    edit,
    'success',
    'Edited src/parser.ts: added 1 line, removed 1 line.\nedit 1: line 3\nNo new problems so far.',
  ),
  {
    type: 'file-change',
    callId: edit.id,
    change: { path: '/work/src/parser.ts', display: 'src/parser.ts', before: 'one', after: 'two' },
  },
  ...reply('Now the tests.', test),
  ...ran(
    test,
    'success',
    'Exit code 0 after 2.1 s.\n\n  parser\n    ✔ keeps the last line\n\n  12 passing (48ms)',
  ),
  ...reply(ANSWER),
  end(),
];

type Asked = Extract<AgentEvent, { type: 'approval-request' }>;

function waiting(
  of: ToolCall,
  request: Omit<Asked['request'], 'call'>,
  asked: Pick<Asked, 'reason' | 'grants'>,
): AgentEvent[] {
  return [
    runStart('Fix it'),
    ...reply('I would do this:', of),
    { type: 'approval-request', request: { call: of, ...request }, ...asked },
  ];
}

const plan = call('update_todos', {
  items: [
    { text: 'Find the failing test', status: 'completed' },
    { text: 'Fix the parser', status: 'in_progress' },
    { text: 'Run all tests', status: 'pending' },
  ],
});
const question = call('ask_user', { question: 'Which name should it have?' });
const agent = call('call_sub_agent', { task: 'Find every caller of `lines`' });
const search = call('search_text', { query: 'lines(' });
const folderRemoval = call('delete_path', { path: 'build' });
const removal = call('delete_path', { path: 'src/old.ts' });

const summarized: readonly AgentEvent[] = [
  ...worked,
  {
    type: 'compaction',
    entries: 2,
    summary: 'The parser lost a line; it was fixed.',
    before: 30_000,
    after: 9_000,
  },
  runStart('And now the docs'),
  ...reply('Here they are.'),
  end(),
];

function lastAsked(events: readonly AgentEvent[]): number {
  return foldEvents(events).entries.findLastIndex(({ type }) => type === 'user');
}

/** All states of the page, for accessibility checks, keyboard tests and screenshots. */
export const chatStates: readonly PageState[] = [
  { name: 'empty', events: [] },
  { name: 'restricted', events: [], messages: [{ type: 'trust', isTrusted: false }] },
  { name: 'answered', events: worked },
  {
    name: 'streaming',
    events: [
      runStart('Explain it'),
      round,
      { type: 'text', text: ANSWER.slice(0, 230) },
      { type: 'call-start', index: 0, name: 'write_file' },
      { type: 'call-delta', index: 0, key: 'path', text: 'src/lines.ts' },
      { type: 'call-delta', index: 0, key: 'content', text: 'export const a = 1;\nexport const b = ' },
    ],
  },
  {
    name: 'edit waits',
    events: waiting(
      edit,
      {
        effect: 'write',
        title: 'Edit src/parser.ts',
        accesses: [
          {
            effect: 'write',
            target: 'src/parser.ts',
            kind: 'edit',
            verdict: { decision: 'auto', reason: 'inside the workspace' },
          },
        ],
        preview: {
          type: 'diff',
          path: 'src/parser.ts',
          before: 'export function lines(text: string) {\n  return text.split("\\n").slice(0, -1);\n}\n',
          after: 'export function lines(text: string) {\n  return text.split("\\n");\n}\n',
        },
      },
      { reason: 'it changes a file', grants: [{ type: 'edits-in-session' }] },
    ),
  },
  {
    name: 'command waits',
    events: waiting(
      test,
      {
        effect: 'execute',
        title: 'Run npm test',
        accesses: [
          {
            effect: 'execute',
            target: 'npm test',
            kind: 'command',
            verdict: { decision: 'ask', reason: 'no rule matches npm test' },
          },
        ],
        preview: {
          type: 'command',
          command: 'npm test -- --grep parser && git status --short',
          cwd: '.',
          commands: [
            ['npm', 'test', '--', '--grep', 'parser'],
            ['git', 'status', '--short'],
          ],
        },
      },
      {
        reason: 'no rule matches npm test',
        grants: [
          {
            type: 'allow-commands',
            rules: [
              { text: 'npm test', runsCode: true },
              { text: 'git status', runsCode: false },
            ],
          },
        ],
      },
    ),
    messages: [{ type: 'sandbox-offer', callId: test.id }],
  },
  {
    name: 'commands in the sandbox',
    events: [
      ...waiting(
        build,
        {
          effect: 'execute',
          title: 'Run make',
          accesses: [],
          preview: {
            type: 'command',
            command: 'make',
            cwd: '.',
            commands: [['make']],
            sandbox: { sites: ['registry.npmjs.org', '*.example.org'] },
          },
        },
        { reason: 'no rule matches make', grants: [] },
      ),
      { type: 'approval-end', callId: build.id, decision: { type: 'run', by: 'user', reason: '' } },
      { type: 'tool-start', callId: build.id, title: 'Run make' },
      { type: 'tool-output', callId: build.id, text: 'cc -c main.c' },
      inSandbox(build, 'cc -c main.c', ['registry.npmjs.org', '*.example.org']),
      ...reply('It builds. Now the tests:', check),
      { type: 'tool-start', callId: check.id, title: 'Run make check' },
      inSandbox(check, '42 passed', []),
      ...reply('And once more:', lint),
      {
        type: 'approval-request',
        request: {
          call: lint,
          effect: 'execute',
          title: 'Run make lint',
          accesses: [],
          preview: {
            type: 'command',
            command: 'make lint',
            cwd: '.',
            commands: [['make', 'lint']],
            sandbox: { sites: [] },
          },
        },
        reason: 'no rule matches make',
        grants: [],
      },
    ],
  },
  {
    name: 'deletion waits',
    events: waiting(
      folderRemoval,
      {
        effect: 'write',
        title: 'Delete build (a folder with 12 files)',
        accesses: [
          {
            effect: 'write',
            target: 'build',
            kind: 'move',
            verdict: { decision: 'auto', reason: 'inside the workspace' },
            notes: ['a folder with 12 files', 'its files are too many or too large to be restored'],
          },
        ],
      },
      { reason: 'it moves or deletes', grants: [{ type: 'moves-in-session' }] },
    ),
  },
  {
    name: 'a protected place waits',
    events: waiting(
      hook,
      {
        effect: 'write',
        title: 'Move check.sh to .husky/pre-commit',
        accesses: [
          {
            effect: 'write',
            target: 'check.sh',
            kind: 'move',
            verdict: { decision: 'auto', reason: 'inside the workspace' },
          },
          {
            effect: 'write',
            target: '.husky/pre-commit',
            kind: 'move',
            verdict: { decision: 'ask', reason: 'protected path', note: 'git hooks' },
            notes: ['git hooks'],
          },
        ],
      },
      { reason: 'protected path', grants: [] },
    ),
  },
  {
    name: 'question',
    events: [
      runStart('Add a helper'),
      ...reply('One thing first.', question),
      { type: 'tool-start', callId: question.id, title: 'Ask' },
      {
        type: 'question',
        callId: question.id,
        question: 'Which name should it have?',
        options: ['lines', 'splitLines'],
      },
    ],
  },
  {
    name: 'plan and sub-agent',
    events: [
      runStart('Do all of it'),
      ...reply('A plan first.', plan, agent),
      ...ran(plan, 'success', 'Kept.'),
      { type: 'tool-start', callId: agent.id, title: 'Sub-agent' },
      ...[
        runStart('Find every caller of `lines`'),
        round,
        { type: 'call-end', index: 0, call: search } as const,
        replyEnd,
        { type: 'tool-start', callId: search.id, title: 'Search' } as const,
      ].map((event): AgentEvent => ({ type: 'sub-agent', callId: agent.id, event })),
    ],
  },
  {
    name: 'things that went wrong',
    events: [
      runStart('Tidy up'),
      ...reply('I will look and then delete.', search, removal),
      ...ran(search, 'error', 'The search could not start. Try again, or look with read_folder.'),
      ...ran(removal, 'denied', 'Not executed: the user rejected this call. Ask what they want instead.'),
      round,
      {
        type: 'malformed',
        index: 0,
        malformed: {
          id: 'm1',
          name: 'write_file',
          diagnostic: {
            code: 'unfinished',
            level: 'error',
            message: 'The call was not finished before the reply ended.',
            hint: 'Write it again.',
            start: 0,
            end: 40,
          },
        },
      },
      { type: 'reply-end', reason: 'cut', raw: '' },
      end({
        type: 'failed',
        message: 'The connection broke in the middle of the reply. Send the message again.',
      }),
    ],
  },
  {
    name: 'a slow server reads',
    events: [
      runStart('Find every caller of lines'),
      round,
      { type: 'progress', stage: 'reading', prompt: { read: 3_900, all: 9_400, cached: 2_200 } },
    ],
  },
  {
    name: 'a template without tools',
    events: [
      runStart('What is in notes.txt?'),
      { ...round, protocol: 'native' },
      {
        type: 'warning',
        diagnostic: {
          code: 'tools-not-in-template',
          level: 'warning',
          message: 'The model does not see its tools: the server reports that its chat template drops them.',
          hint: 'Use a text protocol.',
          start: 0,
          end: 0,
        },
      },
      { type: 'advice', protocol: 'vcp', message: 'The chat template of this model has no tools.' },
      { type: 'text', text: 'I cannot see any files.' },
      {
        ...replyEnd,
        usage: { ...usage, cachedTokens: 8_100 },
        timing: { firstMs: 587, totalMs: 12_400 },
      },
      end(),
    ],
  },
  {
    name: 'a server that is not there',
    events: [
      runStart('What is in notes.txt?'),
      round,
      { type: 'reply-end', reason: 'cut', raw: '' },
      end({
        type: 'failed',
        message: 'No connection to 127.0.0.1:8080. Check that the server runs and that the address is right.',
        canContinue: true,
      }),
    ],
  },
  {
    name: 'a reply that repeats itself',
    events: [
      runStart('What is in notes.txt?'),
      round,
      { type: 'text', text: 'The file is empty, so I will read the file. '.repeat(4) },
      {
        type: 'warning',
        diagnostic: {
          code: 'repetition',
          level: 'warning',
          message:
            'The reply kept repeating itself and was stopped: "The file is empty, so I will read the file."',
          hint: '',
          start: 0,
          end: 0,
        },
      },
      { type: 'reply-end', reason: 'repetition', raw: '', repeated: 'The file is empty' },
      end({
        type: 'failed',
        code: 'repetition',
        message:
          'The model kept repeating itself, so its reply was stopped and none of its calls ran. Try again, or pick another model.',
        canContinue: true,
      }),
    ],
  },
  {
    name: 'paused',
    events: [
      runStart('Go on and on'),
      ...reply('Still at it.'),
      end({
        type: 'budget',
        message:
          'Paused after 50 rounds. Continue for as many again, or raise "parley.toolCalling.maxIterations".',
        canContinue: true,
      }),
    ],
  },
  {
    name: 'summarized and gone back',
    events: [...summarized, { type: 'rewind', entry: lastAsked(summarized) }],
  },
  {
    name: 'a reply was edited',
    events: [
      ...worked,
      { type: 'run-resume', time: 0 },
      { type: 'rewind', entry: 2 },
      { ...round, isMended: true } as const,
      { type: 'text', text: 'That is the mistake: the last part is always dropped.' },
      replyEnd,
      end(),
    ],
  },
  {
    name: 'queued while it runs',
    events: [runStart('Fix it'), round, { type: 'text', text: 'I am at it.' }],
    messages: [
      {
        type: 'outbox',
        outbox: {
          isWaiting: false,
          queued: [
            { id: 1, text: 'then run the tests', images: 0 },
            { id: 2, text: 'and write a changelog line', images: 1 },
          ],
        },
      },
    ],
    draft: 'one more thing',
  },
  { name: 'commands', events: [], draft: '/' },
  {
    name: 'prompts and resources of MCP servers',
    events: [
      {
        type: 'run-start',
        text: '/mcp.weather.daily with @mcp:docs:file:///guide.md',
        time: 0,
        attachments: [
          { type: 'text', source: 'prompt', label: '/mcp.weather.daily', text: '' },
          { type: 'text', source: 'resource', label: 'docs: file:///guide.md', text: '' },
          {
            type: 'missing',
            label: 'docs: x:y',
            problem: 'The MCP server docs does not run. Start it in the tools view, and send this again.',
          },
        ],
      },
      end(),
    ],
    messages: [
      {
        type: 'servers',
        servers: {
          prompts: [
            { name: 'mcp.weather.daily', description: 'What the weather is like today', server: 'weather' },
            { name: 'mcp.docs.explain', description: '', server: 'docs' },
          ],
          hasResources: true,
        },
      },
    ],
    draft: '/mcp',
  },
];

/** The first messages of the host, so that a state is like one in a real window. */
export function hostMessages({ messages = [] }: PageState): readonly HostToChat[] {
  const context: HostToChat = {
    type: 'context',
    context: {
      withEditor: true,
      items: [
        { source: 'rules', label: 'AGENTS.md', title: 'Part of the instructions' },
        { source: 'editor', label: 'parser.ts', title: 'Open in the editor' },
      ],
    },
  };
  return [context, { type: 'outbox', outbox: idle.outbox }, ...messages];
}
