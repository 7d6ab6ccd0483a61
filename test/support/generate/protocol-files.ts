import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dump } from 'js-yaml';
import { summary } from '../../../src/core/reply/parse-reply';
import type { ToolCall, ToolResult } from '../../../src/core/words/messages';
import type { ChatMessage } from '../../../src/core/words/model';
import type { Protocol, RenderedPart } from '../../../src/core/words/protocol';
import { protocols } from '../../../src/protocols';
import { repository } from '../../hosts/repository';
import { parseText } from '../protocols/run-parser';
import { MANIFEST_SOURCE } from '../protocols/reply-cases';

// What `npm run manifest` writes for a new protocol. Authors continue from there: of existing text, only the number of
// protocols changes.

/** The files to write, by path. */
export function newProtocolFiles(): Readonly<Record<string, string>> {
  const fixtures = protocols.filter(({ id }) => id !== 'native' && !existsSync(inRepository(fixtureOf(id))));
  return {
    ...Object.fromEntries(fixtures.map((protocol) => [fixtureOf(protocol.id), firstReplies(protocol)])),
    [PAGE]: withSections(readFileSync(inRepository(PAGE), 'utf8')),
    [README]: withCounts(README, withRows(readFileSync(inRepository(README), 'utf8'))),
    [WHY]: withCounts(WHY, readFileSync(inRepository(WHY), 'utf8')),
  };
}

const README = 'README.md';
const WHY = 'docs/why.md';
const PAGE = 'src/protocols/README.md';

function fixtureOf(id: string): string {
  return `test/fixtures/replies/${id}.yaml`;
}

/** An argument that occurs in no form of a call by chance. */
const VALUE = 'notes.txt';

/**
 * Replies for every protocol, with the results of this one. The author of the protocol checks whether they are right.
 */
function firstReplies(protocol: Protocol): string {
  const call = rendered(protocol, [
    { type: 'call', call: { id: 'c1', name: 'read', arguments: { path: VALUE } } },
  ]);
  const cases = [
    { name: 'reads a call between prose', reply: `Look.\n${call}\nDone.` },
    { name: 'reads several calls in order', reply: `${call}\n${call.replaceAll('read', 'write')}` },
    { name: 'leaves a fenced call in prose alone', reply: `Like this:\n\`\`\`\n${call}\n\`\`\`\nSee?` },
    { name: 'rejects a call that ends inside an argument', reply: call.slice(0, call.indexOf(VALUE) + 3) },
  ].map(({ name, reply }) => ({
    name,
    from: MANIFEST_SOURCE,
    reply,
    expect: summary(parseText(protocol, [reply])),
  }));
  return dump(cases, { lineWidth: -1 });
}

const CALL: ToolCall = {
  id: 'c1',
  name: 'write_file',
  arguments: { path: 'hi.txt', content: 'Hello,\n<b>you</b>' },
  start: 0,
  end: 0,
  notes: [],
  mark: 'clean',
};
const RESULT: ToolResult = {
  requestId: 'c1',
  toolName: 'write_file',
  status: 'success',
  result: 'Created hi.txt.',
  durationMs: 1,
};

/** One call and its result, as shown for each protocol on the page about protocols. */
export function exampleOf(protocol: Protocol): readonly string[] {
  const { messages } = protocol.request({
    instructions: '',
    tools: [],
    turns: [
      { type: 'reply', parts: [{ type: 'call', call: CALL }] },
      { type: 'results', results: [RESULT] },
    ],
  });
  return messages.map(textOf);
}

/** A text protocol's message is its text; a native one is shown as in the API. */
function textOf(message: ChatMessage): string {
  const { role, content } = message;
  if (role === 'tool') return JSON.stringify({ role, tool_call_id: message.toolCallId, content });
  if (role !== 'assistant' || !message.toolCalls) return content;
  const tool_calls = message.toolCalls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  return JSON.stringify({ role, content, tool_calls });
}

/** The text after the sections of the protocols on their page. */
const BEHIND_SECTIONS = '\n## Decisions\n';

function withSections(page: string): string {
  const missing = protocols.filter(({ id }) => !page.includes(`\n## ${id}\n`));
  const sections = missing.map((protocol) => {
    const blocks = exampleOf(protocol).map((text) => `\`\`\`text\n${text}\n\`\`\`\n`);
    return `\n## ${protocol.id}\n\n${blocks.join('')}`;
  });
  return page.replace(BEHIND_SECTIONS, () => sections.join('') + BEHIND_SECTIONS);
}

function withRows(readme: string): string {
  const missing = protocols.filter(({ id }) => !readme.includes(`\n| \`${id}\` | `));
  const last = /^\| `envelope` \| .*\n/m;
  return readme.replace(last, (row) => row + missing.map(rowOf).join(''));
}

const NUMBERS = (
  'zero one two three four five six seven eight nine ten ' +
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
).split(' ');

/** Every protocol except `native` is a text format. */
function withCounts(file: string, page: string): string {
  const texts = inWords(protocols.length - 1);
  const [all = '', ...more] = inWords(protocols.length);
  const counted = page
    .replace(/\w+(?= text formats\b)/, texts)
    .replace(/\w+(?= protocols: native\b)/, all.toUpperCase() + more.join(''));
  if (!counted.includes(`${texts} text formats`))
    throw new Error(`${file} does not say how many text formats there are.`);
  return counted;
}

function inWords(number: number): string {
  return NUMBERS[number] ?? String(number);
}

/** When to use it, and a call line by line. */
function rowOf(protocol: Protocol): string {
  const call = rendered(protocol, [
    { type: 'call', call: { id: 'c1', name: 'read_file', arguments: { path: 'a.txt' } } },
  ]);
  const cells = [
    `\`${protocol.id}\``,
    protocol.description.replace(/[<[\]]/g, '\\$&'),
    call
      .split('\n')
      .map((line) => `\`${line}\``)
      .join(' '),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

function rendered(protocol: Protocol, parts: readonly RenderedPart[]): string {
  return protocol
    .renderReply(parts)
    .map((delta) => (delta.type === 'text' ? delta.text : ''))
    .join('');
}

function inRepository(file: string): string {
  return path.join(repository, file);
}
