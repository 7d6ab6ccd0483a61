import type { LabAnswers } from '../../../src/contract/lab';
import type { ShownPart } from '../../../src/contract/lab-parse';
import type { InspectedReply, InspectedRequest, RequestsToHost } from '../../../src/contract/lab-requests';
import { protocolNames } from '../../../src/protocols/names';
import type { LabHarness } from './lab-harness';

/** Opens the tab with a reply, or with the reason why there is none. */
export async function openRequestsTab(
  lab: LabHarness,
  reply: LabAnswers['inspected-reply'] = sampleReply,
  request: InspectedRequest = sampleRequest,
): Promise<void> {
  await lab.showTarget({ tab: 'requests' });
  await answerReply(lab, reply, request);
}

/** Shows the tab another reply, or the same one as it is now. */
export async function changeReply(
  lab: LabHarness,
  reply: LabAnswers['inspected-reply'],
  request: InspectedRequest = sampleRequest,
): Promise<void> {
  await lab.send({ type: 'requests-changed' });
  await answerReply(lab, reply, request);
}

async function answerReply(
  lab: LabHarness,
  reply: LabAnswers['inspected-reply'],
  request: InspectedRequest,
): Promise<void> {
  await lab.answer('inspected-reply', reply);
  await lab.answer('sent-request', 'key' in reply ? { key: reply.key, request } : undefined);
}

/** Answers the last request to parse the reply again. */
export async function answerDraft(
  lab: LabHarness,
  parts: readonly ShownPart[],
): Promise<Extract<RequestsToHost, { type: 'parse-again' }>> {
  await lab.passTime();
  const asked = await lab.received('parse-again');
  await lab.answer('parse-again', { type: 'reading', number: asked.id, parts });
  return asked;
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
  id: 'c1',
  name: 'read_file',
  arguments: { path: 'a.txt' },
  start: 19,
  end: WHOLE.length - 1,
  mark: 'clean',
  notes: [],
} as const;

const span = { start: WHOLE.length, end: WHOLE.length + BROKEN.length };

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
  parsed: [
    { type: 'call', call: read },
    {
      type: 'malformed',
      malformed: { id: 'c2', name: 'write_file', diagnostic: { ...diagnostic, ...span } },
    },
    {
      type: 'warning',
      diagnostic: {
        ...diagnostic,
        ...{ level: 'warning', code: 'look', message: 'The reply looks odd.', start: 0, end: 6 },
      },
    },
  ],
  states: [
    { id: 'c1', state: 'success', durationMs: 12, hasBegun: true },
    { id: 'c2', state: 'error', durationMs: 0, hasBegun: false },
  ],
  results: {
    isSent: true,
    messages: [{ role: 'user', text: 'Result of read_file: hello\nwrite_file was not executed.' }],
  },
};

/** What is parsed from the edited reply. */
export const editedParts: readonly ShownPart[] = [
  { type: 'call', call: read },
  {
    type: 'call',
    call: {
      ...{ id: 'c2', name: 'write_file', arguments: { path: 'a.txt', content: 'hello' } },
      ...{ ...span, mark: 'repaired', notes: [] },
    },
  },
];
