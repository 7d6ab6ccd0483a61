import type { ParseToHost } from '../../../src/contract/lab-parse';
import { doParseJob, type ParseInput } from '../../../src/host/ui/lab/parse-job';
import type { ToolSpec } from '../../../src/core/words/tool';
import type { LabHarness } from './lab-harness';

export const parseSettings = {
  protocols: [
    { id: 'native', label: 'Native' },
    { id: 'vcp', label: 'VCP' },
    { id: 'hermes', label: 'Hermes' },
  ],
  strictness: 'repair',
  recovery: 'ask',
} as const;

const READ: ToolSpec = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
};

type ParseRequest = Extract<ParseToHost, { type: 'parse-reply' }>;

/** Opens the tab, with the parser settings of this window. */
export async function openParseTab(lab: LabHarness): Promise<void> {
  await lab.page.getByRole('tab', { name: await lab.text('Parse') }).click();
  await lab.answer('parse-settings', parseSettings);
}

/**
 * Makes these changes one after the other, and after each parses what the page requests, like the host. A function
 * is one change: between two, the page may already send a request on a busy machine, because it only waits for a
 * pause.
 */
export async function parseAfter(
  lab: LabHarness,
  ...changes: readonly (() => Promise<void>)[]
): Promise<ParseRequest> {
  const all: ParseRequest[] = [];
  for (const change of changes) all.push(await parseAfterOne(lab, change));
  const last = all.at(-1);
  if (!last) throw new Error('Nothing was changed.');
  return last;
}

async function parseAfterOne(lab: LabHarness, change: () => Promise<void>): Promise<ParseRequest> {
  const before = await countParseRequests(lab);
  await change();
  await lab.passTime();
  if ((await countParseRequests(lab)) === before) throw new Error('Nothing was requested.');
  const last = await lab.received('parse-reply');
  const { reply, protocol, chunk, strictness, recovery, tools } = last;
  const reading: ParseInput = {
    ...{ reply, protocol, chunk, strictness },
    tools: tools === 'none' ? [] : [READ],
    recover: recovery !== 'text',
  };
  const value = await doParseJob(
    protocol === 'all' ? { type: 'comparison', reading } : { type: 'reply', reading, promptForm: 'full' },
  );
  await lab.send({ type: 'answer', id: last.id, answer: { ok: true, value } });
  return last;
}

/** One of each kind of mark in a reply. */
export const mixedReply = `<think>First the file.</think>Let me look.
<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>
<tool_call>{"name":"read_file","arguments":{"file_path":"src/parser.ts"}}</tool_call>
<tool_call>{"name":"delete_all","arguments":{}}</tool_call>
<<<[TOOL_REQUEST]>>>
tool_name:「始」no_such_tool「末」
<<<[END_TOOL_REQUEST]>>>
`;

/** Follows the form up to the name of the arguments. */
export const misspelledReply = `Let me look.
<tool_call>
{"name":"read_file","argument":{"path":"a.txt"}}
</tool_call>
<tool_call>
{"name":"read_file","arguments":{"path":"b.txt"}}
</tool_call>
`;

/** Opens the tab with a parsed reply. */
export async function openReply(lab: LabHarness, reply: string): Promise<void> {
  await openParseTab(lab);
  const [box, calls] = [await lab.text('Reply'), await lab.text('Parsed calls')];
  await parseAfter(lab, () => lab.page.getByRole('textbox', { name: box, exact: true }).fill(reply));
  await lab.page.getByRole('list', { name: calls }).getByRole('listitem').first().waitFor();
}

/** Counted in the page, because replies can be long. */
function countParseRequests(lab: LabHarness): Promise<number> {
  return lab.page.evaluate(() => {
    const { posted } = window as unknown as { posted: { type: string }[] };
    return posted.filter(({ type }) => type === 'parse-reply').length;
  });
}
