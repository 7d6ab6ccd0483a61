import { isJsonObject, type JsonObject } from '../../base/json';
import type { ToolSpec } from '../../core/words/tool';
import { findTool } from '../engine/calls';
import type { ReplyWriter } from '../engine/reader';
import type { JsonStream } from './json-stream';

/** The tool of a step that answers the user. */
export const FINISH_STEP: ToolSpec = {
  name: 'finish',
  description: 'The task is done: answers the user.',
  parameters: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
};

/** One step: a thought, and a call or the answer. */
type ObjectStep =
  | { readonly thought: string; readonly call: JsonObject; readonly answer?: undefined }
  | { readonly thought: string; readonly answer: string; readonly call?: undefined };

const KEYS = ['arguments', 'thought', 'tool'];

/** The step that an object is, if it has exactly the keys of one and an offered tool. */
export function stepIn(stream: JsonStream, tools: readonly ToolSpec[] = []): ObjectStep | undefined {
  const read = stream.state === 'complete' ? stream.read() : undefined;
  if (!read?.ok || read.repairs.length > 0 || !isJsonObject(read.value)) return undefined;
  const { thought, tool = '', arguments: args = null } = read.value;
  const isStep = Object.keys(read.value).sort().join() === KEYS.join();
  if (!isStep || typeof thought !== 'string' || typeof tool !== 'string' || !isJsonObject(args))
    return undefined;
  if (findTool(tools, tool)) return { thought, call: { name: tool, arguments: args } };
  const { answer } = args;
  return tool === FINISH_STEP.name && typeof answer === 'string' ? { thought, answer } : undefined;
}

/** Passes on what a step says: its thought is text before a call, and reasoning before an answer. */
export function sayStep(reply: ReplyWriter, { thought, answer }: ObjectStep): void {
  if (answer === undefined) {
    reply.text(thought);
  } else {
    reply.reasoning(thought);
    reply.text(answer);
  }
}
