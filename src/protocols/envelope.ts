import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ToolResult } from '../core/messages';
import type { ToolSpec } from '../core/tool';
import { warning } from './calls';
import type { Reading } from './cursor';
import { describeParameters, exampleArguments, exampleTool, textOf } from './describe';
import { finishItem, UNFINISHED } from './json';
import { invalidJson } from './json-calls';
import { beginsObject, isExample, leaveBroken, takeObject } from './json-candidate';
import type { OpenFence, ReplyWriter } from './text-parser';
import { textProtocol } from './text-protocol';

/** The whole reply is one object with `action`: for services that only promise a JSON answer. */
export const envelope = textProtocol({
  id: 'envelope',
  label: 'JSON envelope',
  description: 'The whole reply is one JSON object with an action; for services that return JSON only.',
  describeTools,
  renderCall: ({ name, arguments: args }) =>
    JSON.stringify({ reasoning: '', action: 'tool_call', tool_calls: [{ name, arguments: args }] }),
  renderResults: (results) => JSON.stringify({ tool_results: results.map(resultOf) }),
  stop: [],
  grammar: () => ({
    id: 'envelope',
    openers: ['{'],
    resultOpeners: [],
    mayBeFenced: true,
    begins: beginsObject,
    block: readEnvelope,
  }),
});

function resultOf({ toolName, status, result }: ToolResult): JsonObject {
  const ok = status === 'success';
  return { name: toolName, ok, [ok ? 'result' : 'error']: result };
}

function describeTools(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return '';
  const tool = exampleTool(tools);
  const example = {
    reasoning: 'why this call',
    action: 'tool_call',
    tool_calls: [{ name: tool.name, arguments: exampleArguments(tool) }],
  };
  return [
    `You can call these tools:\n\n${tools.map(describeTool).join('\n\n')}`,
    `Answer with one JSON object only. To call tools:\n${JSON.stringify(example)}`,
    `When nothing is left to do:\n${JSON.stringify({ reasoning: 'why this is the answer', action: 'finish', content: 'the answer for the user' })}`,
    `Rules:
- Strict JSON and nothing around it: line breaks in a text are written \\n, quotes \\" and backslashes \\\\.
- Results come back in a user message as {"tool_results": [{"name": …, "ok": …, "result": …}]}. Never write results yourself.`,
  ].join('\n\n');
}

function describeTool({ name, description, parameters }: ToolSpec): string {
  return [`### ${name}`, description, 'Parameters:', ...describeParameters(parameters)].join('\n');
}

/** The keys of an envelope; an object that begins with another key is an answer in JSON. */
const KEYS = ['reasoning', 'action', 'tool_calls', 'content', 'sql'];

function* readEnvelope(reply: ReplyWriter, _opener: string, fence: OpenFence | undefined): Reading<boolean> {
  const { cursor } = reply;
  const start = cursor.position;
  const seen = { firstKey: '', content: false };
  const isEnvelope = (): boolean => KEYS.includes(seen.firstKey);
  const { stream, text, itemEnds } = yield* takeObject(cursor, {
    onKey: (key) => (seen.firstKey ||= key),
    onText: (key, piece, isString) => {
      // Inside a fence it may still turn out to be an example.
      if (fence || !isString || !isEnvelope()) return;
      if (key === 'reasoning') reply.reasoning(piece);
      if (key !== 'content') return;
      seen.content = true;
      reply.text(piece);
    },
    mayBeText: () => fence !== undefined || !isEnvelope(),
  });
  if (!isEnvelope() || (yield* isExample(fence, stream))) {
    reply.text((fence?.text ?? '') + text);
    return false;
  }
  if (stream.state !== 'complete') {
    const problem = stream.state === 'open' ? UNFINISHED : invalidJson(yield* leaveBroken(cursor, stream));
    reply.reject({ index: reply.begin(''), name: '', start, end: cursor.position }, problem);
    return true;
  }
  const end = cursor.position;
  const read = stream.read();
  if (!read.ok || !isJsonObject(read.value)) {
    const why = read.ok ? 'it is no object' : read.message;
    reply.reject({ index: reply.begin(''), name: '', start, end }, invalidJson(why));
    return true;
  }
  if (fence && typeof read.value['reasoning'] === 'string') reply.reasoning(read.value['reasoning']);
  if (!seen.content) reply.text(answerOf(read.value));
  finish(reply, read.value, { itemEnds, start, end, repairs: read.repairs });
  return true;
}

interface Block {
  readonly itemEnds: readonly number[];
  readonly start: number;
  readonly end: number;
  readonly repairs: readonly string[];
}

function finish(reply: ReplyWriter, value: JsonObject, block: Block): void {
  const { itemEnds, start, end, repairs } = block;
  const listed = value['tool_calls'];
  const calls = listed !== undefined && isJsonList(listed) ? listed : [];
  const saysCall = value['action'] === 'tool_call';
  if (calls.length === 0) return;
  if (value['action'] !== undefined && !saysCall) {
    reply.reject({ index: reply.begin(''), name: '', start, end }, CONTRADICTION);
    return;
  }
  if (!saysCall) {
    const message = 'The envelope has calls but no "action"; it was read as "tool_call".';
    reply.warn(warning({ start, end }, 'missing-action', message, 'Set "action" to "tool_call".'));
  }
  calls.forEach((item, number) => {
    const from = number === 0 ? start : start + (itemEnds[number - 1] ?? end - start);
    const to = number === calls.length - 1 ? end : start + (itemEnds[number] ?? end - start);
    finishItem(reply, item, { start: from, end: to }, repairs);
  });
}

/** What the user is to read where no text has streamed: `content` that is no text, else `sql`. */
function answerOf(value: JsonObject): string {
  const found: Json | undefined = [value['content'], value['sql']].find(
    (each) => each !== undefined && each !== null && each !== '',
  );
  return found === undefined ? '' : textOf(found);
}

const CONTRADICTION = {
  code: 'contradiction',
  message: 'The envelope says "finish" and has calls; none was run.',
  hint: 'Set "action" to "tool_call" to call tools, or leave "tool_calls" out to finish.',
};
