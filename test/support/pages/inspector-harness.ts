import type { Browser } from 'playwright-core';
import type {
  HostToInspector,
  InspectedReply,
  InspectedRequest,
  InspectorToHost,
  ReplyReading,
} from '../../../src/contract/inspector';
import { protocolNames } from '../../../src/protocols/names';
import { openPage, PageHarness, type HarnessOptions } from './page-harness';

/** The inspector page in a browser. */
export class InspectorHarness extends PageHarness<InspectorToHost, HostToInspector> {
  /** Opens the page in a new window. */
  static async open(browser: Browser, options: HarnessOptions = {}): Promise<InspectorHarness> {
    const harness = new InspectorHarness(
      await openPage(browser, 'inspector', { width: 1000, ...options }),
      'ready',
    );
    await harness.load();
    return harness;
  }

  async show(reply: InspectedReply, request: InspectedRequest = sampleRequest): Promise<void> {
    await this.send({ type: 'reply', reply });
    await this.send({ type: 'request', request });
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Answers the last request to read it again. */
  async answer(reading: ReplyReading): Promise<Extract<InspectorToHost, { type: 'read' }>> {
    const asked = await this.received('read');
    await this.send({ type: 'reading', id: asked.id, reading });
    return asked;
  }
}

export const sampleRequest: InspectedRequest = {
  type: 'sent',
  messages: [
    { role: 'system', text: 'You are Parley.\nYou have these tools: read_file, write_file.' },
    { role: 'user', text: 'Write hello into a.txt.' },
    { role: 'assistant', text: '', more: '{\n  "tool_calls": []\n}' },
  ],
  tools: [{ name: 'write_file', json: '{\n  "name": "write_file"\n}' }],
  forms: [],
  body: '{\n  "model": "qwen3-coder",\n  "stream": true\n}',
};

const WHOLE = `I will look first.
<<<[TOOL_REQUEST]>>>
tool_name:「始」read_file「末」,
path:「始」a.txt「末」
<<<[END_TOOL_REQUEST]>>>
`;

/** Its end marker is malformed. */
const BROKEN = `<<<[TOOL_REQUEST]>>>
tool_name:「始」write_file「末」,
path:「始」a.txt「末」,
content:「始」hello「末」
<<<[END_TOOL_REQ]>>>
`;

const diagnostic = {
  code: 'unfinished',
  level: 'error',
  message: 'The call was not finished before the reply ended.',
  hint: 'Write the whole call, with its end marker.',
} as const;

const read = {
  type: 'call',
  id: 'c1',
  name: 'read_file',
  arguments: { path: 'a.txt' },
  start: 19,
  end: WHOLE.length - 1,
  mark: 'clean',
  notes: [],
} as const;

/** A reply with a call that ran and one that was malformed. */
export const sampleReply: InspectedReply = {
  key: '1',
  number: 2,
  isInner: false,
  model: 'qwen3-coder',
  protocol: 'vcp',
  protocols: protocolNames.map(({ id, label }) => ({ id, label })),
  isEdited: false,
  isOpen: false,
  isCutOff: false,
  raw: WHOLE + BROKEN,
  parsed: {
    calls: [
      read,
      {
        type: 'malformed',
        id: 'c2',
        name: 'write_file',
        start: WHOLE.length,
        end: WHOLE.length + BROKEN.length,
        reason: { ...diagnostic, start: WHOLE.length, end: WHOLE.length + BROKEN.length },
      },
    ],
    warnings: [
      { ...diagnostic, level: 'warning', code: 'look', message: 'The reply looks odd.', start: 0, end: 6 },
    ],
  },
  states: [
    { id: 'c1', state: 'success', durationMs: 12, hasBegun: true },
    { id: 'c2', state: 'error', durationMs: 0, hasBegun: false },
  ],
  results: {
    isSent: true,
    messages: [{ role: 'user', text: 'Result of read_file: hello\nwrite_file was not executed.' }],
  },
};

/** The parsed form of an edited reply. */
export const editedReply: ReplyReading = {
  calls: [
    read,
    {
      ...read,
      id: 'c2',
      name: 'write_file',
      arguments: { path: 'a.txt', content: 'hello' },
      start: WHOLE.length,
      end: WHOLE.length + BROKEN.length,
      mark: 'repaired',
    },
  ],
  warnings: [],
};
