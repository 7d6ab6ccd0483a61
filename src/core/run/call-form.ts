import { never } from '../../base/never';
import type { CallRequest } from '../reply/reply-reader';
import type { Transcript } from '../transcript/transcript';
import { wholeReply } from '../words/messages';
import type { Protocol } from '../words/protocol';
import { runningSpec, type Tool } from '../words/tool';
import type { AgentOptions } from './agent-options';
import type { Reply, Round } from './round';

/** A call in another form that changes something: it would have to ask, and nobody can answer. */
export function isRefused(
  request: CallRequest,
  tools: readonly Tool[],
  { ask }: AgentOptions['user'],
): boolean {
  if (ask || request.type !== 'call' || request.call.mark !== 'recovered') return false;
  return tools.find(({ spec }) => runningSpec(spec).name === request.call.name)?.effect !== 'read';
}

/** How a call is written in the current form, for a model that wrote it in another one. */
export function formHint(protocol: Protocol, tools: readonly Tool[], written: string): string {
  const named = tools.find(({ spec }) => written.includes(spec.name)) ?? tools[0];
  if (!named) return 'Answer in plain text.';
  const { name, parameters, example } = named.spec;
  const blank = Object.fromEntries((parameters.required ?? []).map((key) => [key, '…']));
  const call = { id: '', name, arguments: example ?? blank };
  const [delta] = protocol.renderReply([{ type: 'call', call }]);
  return delta?.type === 'text'
    ? `Write calls outside of code fences, exactly in this form:\n${delta.text}`
    : 'Call tools through the interface for tools; do not write calls as text.';
}

/** The result of a call that is refused for its form. */
export function refusedForm(protocol: Protocol, tools: readonly Tool[], name: string): string {
  return `Not executed: the call was written in another form, so it would have to ask, and nobody can answer. ${formHint(protocol, tools, name)}`;
}

/** The code of the warning that the conversation has moved to another protocol. */
export const FORM_MOVED = 'form-moved';

/**
 * Continues in the form that the model really writes, once in a conversation, if the user left the protocol open.
 * What was copied from a result, or shown, is no sign of it.
 */
export async function moveForm(
  options: AgentOptions,
  reply: Reply,
  { request }: Round,
): Promise<AgentOptions> {
  const { move, conversation, prompt } = options;
  const seen = request && writtenForm(reply);
  if (!move || seen === undefined || hasMoved(conversation.transcript())) return options;
  const target = await move(seen);
  if (target.protocol.id === prompt.protocol.id) return options;
  const { protocol, offer } = target;
  const message = `The model writes its calls in another form, so the conversation goes on with the protocol "${protocol.id}".`;
  conversation.emit({
    type: 'warning',
    diagnostic: wholeReply({ code: FORM_MOVED, level: 'warning', message, hint: '' }),
  });
  return { ...options, prompt: { ...prompt, protocol }, tools: { ...options.tools, offer } };
}

/** The form of a reply that calls in no other one. */
function writtenForm({ requests, otherForm, notRun, reason, repeated, failure }: Reply): string | undefined {
  if (failure || repeated !== undefined) return undefined;
  switch (reason) {
    case 'length':
    case 'content-filter':
      return undefined;
    case 'stop':
    case 'tool-calls':
      break;
    default:
      return never(reason);
  }
  const areForeign = requests.every((each) => each.type === 'call' && each.call.mark === 'recovered');
  if (!areForeign) return undefined;
  return requests.length > 0 ? otherForm : notRun?.seen;
}

function hasMoved({ entries }: Transcript): boolean {
  return entries.some(
    (entry) => entry.type === 'reply' && entry.warnings.some(({ code }) => code === FORM_MOVED),
  );
}
