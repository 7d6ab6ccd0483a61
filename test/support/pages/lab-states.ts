import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { LabAnswers } from '../../../src/contract/lab';
import type { DoctorCost, DoctorPage, DoctorRow } from '../../../src/contract/lab-doctor';
import type { GatewayPage, ServedItem } from '../../../src/contract/lab-gateway';
import type { LabRun, RunsSoFar } from '../../../src/contract/lab-run';
import type { LabTool, LabToolset } from '../../../src/contract/lab-tools';
import type { AgentEvent } from '../../../src/core/words/events';
import type { JsonSchema } from '../../../src/core/words/schema';
import { tasks } from '../../../src/doctor/tasks';
import { repository } from '../../hosts/repository';
import { replyEnd, roundStart, runStart, toolCall } from '../agent/chat-events';
import { LabHarness } from './lab-harness';
import { misspelledReply, mixedReply, openParseTab, openReply, parseAfter } from './parse-tab';
import { answerDraft, editedParts, openRequestsTab } from './requests-tab';
import type { HarnessOptions } from './page-harness';

const object = (properties: JsonSchema['properties'], required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  ...(properties && { properties }),
  required,
});

function tool(name: string, more: Partial<LabTool> = {}): LabTool {
  return {
    name,
    description: `What ${name} does.`,
    parameters: object({ path: { type: 'string', description: 'Where the file lies.' } }, ['path']),
    effect: 'read',
    isOn: true,
    words: {
      state: more.isOn === false ? 'off' : 'on',
      effect: 'reads',
      source: 'built in',
      cost: 'About 120 tokens in every request',
    },
    ...more,
  };
}

export const labToolsets: readonly LabToolset[] = [
  {
    id: 'shell',
    tools: [
      tool('run_shell_command', {
        qualifiedName: 'shell_runShellCommand',
        effect: 'execute',
        parameters: object({ command: { type: 'string' }, background: { type: 'boolean' } }, ['command']),
      }),
    ],
  },
  {
    id: 'files',
    tools: [
      tool('read_file', {
        qualifiedName: 'files_readFile',
        description: 'Reads a text file.\nA long one in parts.',
      }),
      tool('edit_file', {
        qualifiedName: 'files_editFile',
        effect: 'write',
        isOn: false,
        parameters: object(
          {
            path: { type: 'string' },
            edits: {
              type: 'array',
              description: 'The changes, in order.',
              items: object(
                { old: { type: 'string' }, new: { type: 'string' }, expect: { type: 'integer' } },
                ['old', 'new'],
              ),
            },
            mode: { enum: ['fast', 'careful'] },
            options: object({ backup: { type: 'boolean' }, limits: object({ lines: { type: 'integer' } }) }),
            when: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            any: { anyOf: [{ type: 'string' }, { type: 'object' }] },
          },
          ['path', 'edits'],
        ),
      }),
      tool('find_files', { problem: 'Not offered: the agent Ask may not use it.' }),
    ],
  },
  {
    id: 'extensions',
    tools: [
      tool('weather', { isOn: false, parameters: object({}), description: 'Tells the weather, by Others.' }),
    ],
  },
];

const command = toolCall('run_shell_command', { command: 'npm test' });

/** A call that asks before it runs. */
export const askingRun: readonly AgentEvent[] = [
  runStart('run_shell_command'),
  roundStart,
  { type: 'call-end', index: 0, call: command },
  replyEnd,
  {
    type: 'approval-request',
    request: {
      call: command,
      effect: 'execute',
      title: 'Run npm test',
      accesses: [],
      preview: { type: 'command', command: 'npm test', cwd: '/work', commands: [['npm', 'test']] },
    },
    reason: 'no rule allows it',
    grants: [{ type: 'allow-commands', rules: [{ text: 'npm test', runsCode: true }] }],
  },
];

export const askingCall = command;

export function labRun(
  id: number,
  more: Partial<LabRun> = {},
  result: Partial<LabRun['result']> = {},
): LabRun {
  return {
    id: String(id),
    time: 1_760_000_000_000 + id * 60_000,
    tool: 'read_file',
    arguments: { path: `src/${id}.ts` },
    result: {
      requestId: `r${id}`,
      toolName: 'read_file',
      status: 'success',
      result: `1\tfile ${id}`,
      durationMs: 12,
      ...result,
    },
    ...more,
  };
}

export const picture = {
  mediaType: 'image/png',
  data: readFileSync(path.join(repository, 'media/icon.png')).toString('base64'),
} as const;

export const labRuns: readonly LabRun[] = [
  labRun(3, {}, { images: [picture] }),
  labRun(2, { tool: 'edit_file' }, { status: 'error', result: 'No file at src/2.ts.' }),
  labRun(
    1,
    { tool: 'run_shell_command' },
    { status: 'denied', result: 'Not executed: the user rejected it.' },
  ),
];

const nothing: RunsSoFar = { runs: [], events: [] };

/** Answers the requests of the page when it opens. */
export async function openLab(
  lab: LabHarness,
  { tools = labToolsets, runs = nothing }: { tools?: LabAnswers['list-tools']; runs?: RunsSoFar } = {},
): Promise<void> {
  await lab.answer('list-tools', tools);
  await lab.answer('list-runs', runs);
}

/** The states of the lab, with the steps to reach them. */
export interface LabPageState {
  readonly name: string;
  readonly runs?: RunsSoFar;
  readonly arrange?: (lab: LabHarness) => Promise<void>;
}

const pick = async ({ page }: LabHarness, name: string): Promise<void> =>
  page.getByRole('button', { name }).first().click();
const goTo = async (lab: LabHarness, tab: string): Promise<void> =>
  lab.page.getByRole('tab', { name: await lab.text(tab) }).click();

/** The text of the host. */
const NO_REPLY =
  'Requests are kept in memory only, until the window is closed or reloaded. Choose "Inspect" on a reply in the chat to see it here.';

export const labStates: readonly LabPageState[] = [
  { name: 'a reply in the lab', arrange: (lab) => openRequestsTab(lab) },
  {
    name: 'an edited reply in the lab',
    arrange: async (lab) => {
      await openRequestsTab(lab);
      await pick(lab, await lab.text('Edit reply'));
      await answerDraft(lab, editedParts);
    },
  },
  {
    name: 'no reply in the lab',
    arrange: async (lab) => openRequestsTab(lab, { problem: await lab.text(NO_REPLY) }),
  },
  { name: 'the tools of the lab' },
  { name: 'a tool of the lab', arrange: (lab) => pick(lab, 'edit_file') },
  { name: 'a tool of the lab that is not offered', arrange: (lab) => pick(lab, 'find_files') },
  { name: 'an empty tab Run', arrange: (lab) => goTo(lab, 'Run') },
  {
    name: 'arguments with a form and with faults',
    arrange: async (lab) => {
      await lab.showTarget({ tab: 'run', tool: 'edit_file' });
      await pick(lab, await lab.text('Add item to {0}', 'edits'));
    },
  },
  {
    name: 'a call of the lab that waits',
    runs: { runs: [], events: askingRun },
    arrange: async (lab) => {
      await lab.showTarget({ tab: 'run', tool: 'run_shell_command' });
      const call = await lab.text('Tool call {0}', 'run_shell_command');
      await lab.page.getByRole('group', { name: call }).waitFor();
    },
  },
  {
    name: 'a result of the lab',
    runs: { runs: labRuns, events: [] },
    arrange: async (lab) => {
      await goTo(lab, 'Run');
      await pick(lab, await lab.text('Succeeded'));
    },
  },
  { name: 'an empty tab Parse', arrange: (lab) => openParseTab(lab) },
  { name: 'a reply with calls and faults', arrange: (lab) => openReply(lab, mixedReply) },
  {
    name: 'a reply that leaves its form',
    arrange: async (lab) => {
      await openReply(lab, misspelledReply);
      await lab.page.locator('.reply-form').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'protocols side by side',
    arrange: async (lab) => {
      await openReply(lab, mixedReply);
      await parseAfter(lab, async () => {
        const name = await lab.text('Protocol');
        await lab.page.getByRole('combobox', { name }).selectOption('all');
      });
      await lab.page.getByRole('table').waitFor();
    },
  },
  {
    name: 'hard cases that were run',
    arrange: async (lab) => {
      await openParseTab(lab);
      await lab.page
        .getByText(await lab.text('Hard cases'))
        .first()
        .click();
      await lab.answer('list-cases', [
        { number: 0, protocol: 'vcp', name: 'reads a call' },
        { number: 1, protocol: 'json', name: 'keeps a fence' },
      ]);
      await pick(lab, await lab.text('Run {0} cases', 2));
      await lab.answer('run-cases', [
        { number: 0, expected: 'read {}', actual: 'read {}' },
        { number: 1, expected: 'text "a"', actual: 'text "b"' },
      ]);
    },
  },
  { name: 'a doctor that has not begun', arrange: (lab) => openDoctorTab(lab, doctorPage) },
  { name: 'a quick look of the doctor', arrange: (lab) => openDoctorTab(lab, doctorQuick) },
  { name: 'a doctor at work', arrange: (lab) => openDoctorTab(lab, doctorAtWork) },
  { name: 'what the doctor has found', arrange: (lab) => openDoctorTab(lab, doctorEnd) },
  { name: 'a gateway that is off', arrange: (lab) => openGatewayTab(lab, { requests: [] }) },
  { name: 'a gateway and what it was asked', arrange: (lab) => openGatewayTab(lab, gatewayPage) },
];

const noCost: DoctorCost = { requests: 0, inputTokens: 0, outputTokens: 0 };

export const doctorPage: DoctorPage = {
  model: 'Qwen 7B',
  state: 'ready',
  cost: {
    least: { requests: 40, inputTokens: 141_000, outputTokens: 4_100, dollars: 0.08 },
    most: { requests: 260, inputTokens: 903_000, outputTokens: 25_000, dollars: 0.49 },
  },
  used: noCost,
  usedMs: 0,
  tasks: tasks.map(({ id, title }) => ({ id, title })),
  rows: [],
  faults: [],
  counts: [],
  thinking: { replies: 0, of: 0 },
  speed: {},
};

const doctorRow = (id: string, rights: readonly number[], more: Partial<DoctorRow> = {}): DoctorRow => ({
  ...{ id, right: rights.reduce((sum, each) => sum + each, 0), n: 16, interval: [0.41, 0.86] },
  threeInARow: [0.07, 0.64],
  ...{ clean: 9, called: 12, isOut: false },
  cells: rights.map((right, at) => ({ right, n: at === 9 ? 0 : 2, skipped: at === 9 ? 1 : 0 })),
  ...more,
});

export const doctorAtWork: DoctorPage = {
  ...doctorPage,
  state: 'running',
  used: { requests: 23, inputTokens: 81_000, outputTokens: 2_300, dollars: 0.05 },
  usedMs: 94_000,
  rows: [
    doctorRow('native', [0, 0, 0, 0, 2, 2, 0, 0, 0, 0], { isOut: true, interval: [0.07, 0.45], called: 0 }),
    doctorRow('hermes+forced', [2, 1, 2, 2, 2, 1, 2, 2, 1, 0]),
    doctorRow('vcp+forced', [1, 0, 2, 2, 2, 2, 1, 1, 0, 0], {
      cells: [
        { right: 1, n: 2, skipped: 0, faults: { wrong: 1, noCall: 0, malformed: 0 } },
        { right: 0, n: 2, skipped: 0, faults: { wrong: 0, noCall: 2, malformed: 0 } },
        { right: 1, n: 3, skipped: 0, faults: { wrong: 0, noCall: 1, malformed: 1 } },
        ...Array.from({ length: 7 }, () => ({ right: 2, n: 2, skipped: 0 })),
      ],
    }),
  ],
  faults: [
    {
      ...{ exam: 2, contestant: 'vcp+forced', task: 'three steps', replies: 2 },
      fault: 'It called find_files and not read_file.',
    },
    { exam: 1, contestant: 'native', task: 'typed arguments', fault: 'There is no call.', replies: 1 },
  ],
  counts: [
    { protocol: 'hermes', clean: 206, repaired: 4, recovered: 0, malformed: 2 },
    { protocol: 'vcp', clean: 30, repaired: 6, recovered: 1, malformed: 9 },
  ],
  thinking: { replies: 21, of: 23 },
  speed: { prompt: 410.2, output: 31.5 },
};

export const doctorEnd: DoctorPage = {
  ...doctorAtWork,
  state: 'over',
  why: '"hermes+forced" did 15 of 18 tasks and is at least 90 % likely to be within five points of the best.',
  recommended: { id: 'hermes+forced', isUsed: false },
};

/** After a quick look; the first way was not finished. */
export const doctorQuick: DoctorPage = {
  ...doctorPage,
  state: 'over',
  isQuick: true,
  used: { requests: 31, inputTokens: 52_000, outputTokens: 1_900 },
  usedMs: 310_000,
  minutes: { least: 48, most: 260, quick: 9 },
  speed: { prompt: 80.1, output: 26.5 },
  why: 'It took a quick look. With "plain+forced, one" it did 2 of 3 small jobs.',
  recommended: { id: 'plain+forced', isUsed: false },
  work: {
    jobs: [
      { name: 'timeout-of-section', title: 'changes a value' },
      { name: 'empty-cart', title: 'creates a file' },
      { name: 'count-results', title: 'runs a command and reports' },
    ],
    ways: [
      {
        ...{ id: 'native, many', protocol: 'native', steps: 'many', tools: 'all', solved: 0, n: 2 },
        cells: [
          { outcome: 'wrong', fault: 'conf/worker.ini is not as asked for.', ms: 41_000 },
          { outcome: 'no-call', fault: 'fixtures/empty-cart.json is not as asked for.', ms: 12_000 },
          null,
        ],
      },
      {
        ...{ id: 'plain+forced, one', protocol: 'plain+forced', steps: 'one', tools: 'few' },
        ...{ temperature: 0.2, solved: 2, n: 3 },
        cells: [
          { outcome: 'solved', ms: 38_000 },
          { outcome: 'solved', ms: 44_000 },
          { outcome: 'wrong', fault: 'The answer does not say 14.', ms: 51_000 },
        ],
      },
    ],
  },
};

/** Shows the tab with this content. */
export async function openDoctorTab(lab: LabHarness, page: DoctorPage): Promise<void> {
  await goTo(lab, 'Doctor');
  await lab.answer('doctor-state', page);
}

const served = (id: number, more: Partial<ServedItem> = {}): ServedItem => ({
  id,
  door: 'gateway',
  model: 'qwen2.5-coder-7b-instruct',
  time: 1_760_000_000_000 + id * 60_000,
  state: 'done',
  durationMs: 2_400,
  ...{ calls: 1, repaired: 0, retried: 0, rejected: 0, problems: [] },
  tokens: { in: 3_120, out: 84, isEstimated: false },
  protocols: ['hermes'],
  ...more,
});

const {
  durationMs: _durationMs,
  tokens: _tokens,
  ...running
} = served(5, {
  ...{ state: 'running', calls: 0, protocols: [] },
});

export const gatewayPage: GatewayPage = {
  running: { address: 'http://127.0.0.1:45123/v1', name: 'Qwen 7B' },
  requests: [
    running,
    served(4, {
      ...{ retried: 1, repaired: 1, calls: 2, protocols: ['hermes', 'hermes'] },
      tokens: { in: 6_400, out: 310, isEstimated: true },
      problems: ['The call is not valid JSON: there is no value at "a b".'],
    }),
    served(3, {
      ...{ door: 'vscode', calls: 0, retried: 2, rejected: 1, protocols: ['vcp', 'vcp', 'vcp'] },
      problems: ['The call has no end.'],
    }),
    served(2, {
      ...{ state: 'failed', calls: 0, problems: ['The server is too busy. Try again later.'], protocols: [] },
    }),
    served(1, { state: 'stopped', calls: 0, protocols: [] }),
  ],
};

/** Shows the tab with this content. */
export async function openGatewayTab(lab: LabHarness, page: GatewayPage): Promise<void> {
  await goTo(lab, 'Gateway');
  await lab.answer('gateway-state', page);
}

/** Opens the lab in one of its states, and waits until it is idle. The caller closes it. */
export async function showLab(
  browser: Browser,
  { runs, arrange }: LabPageState,
  options: HarnessOptions,
): Promise<LabHarness> {
  const lab = await LabHarness.open(browser, options);
  await openLab(lab, { ...(runs && { runs }) });
  await arrange?.(lab);
  // The editor checks its text after a moment.
  await lab.passTime();
  return lab;
}
