import type { GrammarOptions, ReplyForm } from '../core/words/grammar';
import type { ModelDelta, ModelRequest } from '../core/words/model';
import type { ParserOptions, Protocol, RenderedPart } from '../core/words/protocol';
import type { ToolSpec } from '../core/words/tool';
import type { Reader } from './engine/reader';
import { THINK_TOKENS } from './engine/reasoning-marks';
import { SPECIAL_TOKENS } from './engine/special-tokens';
import type { ReadableProtocol } from './engine/text-protocol';
import { envelope } from './envelope/envelope';
import { callGrammar } from './grammar/call-grammar';
import { invoke } from './invoke/invoke';
import { tagReader } from './invoke/invoke-block';
import { json } from './json';
import { leaked } from './leaked/leaked';
import { gemma4, unmarkedCalls } from './literals/gemma4';
import { bareCalls, pythonic } from './literals/pythonic';
import { native } from './native/native';
import { plain } from './plain/plain';
import { foreignSteps } from './plain/step';
import { formIn } from './reply-form';
import { glm } from './tool-call/glm';
import { hermes } from './tool-call/hermes';
import { qwen3Coder } from './tool-call/qwen3-coder';
import { representableOver } from './representable';
import { vcp } from './vcp/vcp';
import { xml } from './xml';

/**
 * In the order of the picker. A new protocol is a file in this folder, a line here, and a reply as its test.
 * `npm run manifest` then updates settings, pickers, `auto` and the detection of replies.
 */
// prettier-ignore
const list: readonly ReadableProtocol[] = [
  native,
  vcp,
  json,
  xml,
  envelope,
  invoke,
  hermes,
  qwen3Coder,
  glm,
  pythonic,
  gemma4,
  plain,
];

/** Every protocol; each recognizes calls in the forms of the others, and in forms that no prompt asks for. */
export const protocols: readonly Protocol[] = list.map((protocol) => ({
  ...protocol,
  createParser: (options) => protocol.createParser({ ...options, foreign: formsBeside(protocol, options) }),
  ...formOf(protocol),
}));

/** What its calls can say, and the form that a server can enforce, limited to that. */
function formOf(protocol: ReadableProtocol): Pick<Protocol, 'unrepresentable' | 'grammar' | 'schema'> {
  const { calls } = protocol;
  const schema = protocol.schema?.bind(protocol);
  const representable = representableOver(protocol);
  const callable = (tools: readonly ToolSpec[]): ToolSpec[] =>
    tools.map(representable).flatMap(({ tool, lacks }) => (lacks === undefined ? [tool] : []));
  return {
    unrepresentable: (tool) => representable(tool).lacks,
    ...(calls && {
      grammar: (tools, options) => callGrammar(calls, callable(tools), marksOf(protocol, tools), options),
    }),
    ...(schema && {
      schema: (tools: readonly ToolSpec[], options?: GrammarOptions) => schema(callable(tools), options),
    }),
  };
}

/** Everything that a reader of the reply reacts to. */
function marksOf(protocol: ReadableProtocol, tools: readonly ToolSpec[]): string[] {
  const own = protocol.reader?.(tools, 'repair');
  const readers = [...(own ? [own] : []), ...formsBeside(protocol, { tools })];
  const names = tools.flatMap(({ name, qualifiedName = name }) => [name, qualifiedName]);
  // The lines of a step are words of prose, and count only as a whole step.
  const marked = readers.filter(({ id }) => id === protocol.id || id !== plain.id);
  const marks = [...marked.flatMap(({ openers }) => openers), ...(own?.resultOpeners ?? [])];
  // A name alone begins a call only if a brace follows and the reply has nothing else.
  return [...marks.filter((mark) => !names.includes(mark)), ...THINK_TOKENS, ...SPECIAL_TOKENS];
}

export function formsBeside(
  protocol: ReadableProtocol,
  { tools, strictness = 'repair' }: Pick<ParserOptions, 'tools' | 'strictness'>,
): Reader[] {
  const readers = list.flatMap((each) => each.reader?.(tools, strictness) ?? []);
  // Objects without a marker are accepted more strictly than where they are asked for.
  const marked = readers.filter(({ mayBeFenced }) => !mayBeFenced);
  return [
    ...marked.filter(({ id }) => id !== protocol.id).map(withoutClosers),
    tagReader(tools),
    ...[bareCalls(tools), unmarkedCalls(tools), foreignSteps(tools)].filter(({ id }) => id !== protocol.id),
    ...leaked(tools).filter(({ id }) => !marked.some((reader) => reader.id === id)),
  ];
}

/** A leftover closing tag counts only for its own protocol, and a form without markers only by itself. */
function withoutClosers(reader: Reader): Reader {
  return { ...reader, openers: reader.openers.filter((opener) => !/^(?:<\/|\[$|\w)/.test(opener)) };
}

export function findProtocol(id: string): Protocol | undefined {
  return protocols.find((protocol) => protocol.id === id);
}

/** The form that a server can enforce for the reply to a request, if any. */
export function replyForm({ protocol: id, conversation }: ModelRequest['origin']): ReplyForm | undefined {
  const protocol = findProtocol(id);
  return protocol && formIn(protocol, conversation);
}

/** A reply in the form of the protocol with that id. */
export function renderReply(id: string, parts: readonly RenderedPart[]): readonly ModelDelta[] {
  return findProtocol(id)?.renderReply(parts) ?? [];
}
