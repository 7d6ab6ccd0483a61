import { protocolNames, type ProtocolName } from './names';

export function findProtocolName(id: string): ProtocolName | undefined {
  return protocolNames.find((name) => name.id === id);
}

/** What is known about the model that a protocol is chosen for. */
interface ProtocolHints {
  /** The profile's own protocol. */
  readonly protocol?: string | undefined;
  /** The model's name at its endpoint. */
  readonly model?: string | undefined;
  /** What the server says: where `tools` is `false`, native tools never reach the model. */
  readonly facts?: { readonly tools?: boolean } | undefined;
}

/** The wanted one; for `auto` the profile's own, else what suits the model by its name and by what its server says. */
export function chooseProtocol(wanted: string, { protocol, model = '', facts }: ProtocolHints): ProtocolName {
  const suited = suitedFor(model);
  const isDropped = facts?.tools === false && suited.protocol === UNKNOWN.protocol;
  const ids = [wanted, protocol ?? '', isDropped ? suited.fallback : suited.protocol];
  for (const id of ids) {
    const found = findProtocolName(id);
    if (found) return found;
  }
  throw new Error(`The table of models names a protocol that there is not: ${ids.at(-1)}`);
}

/** The id of what to offer a model that wrote in another form, or that has trouble with the protocol in use. */
export function suggestProtocol(seen: string | undefined, model: string): string {
  const nearest = NEAREST.find(([, forms]) => forms.test(seen ?? ''))?.[0] ?? seen ?? '';
  return findProtocolName(nearest)?.id ?? suitedFor(model).fallback;
}

/** Forms that nobody can be asked to write, by what their families do well with; that of the others is the usual one. */
const NEAREST: readonly (readonly [protocol: string, forms: RegExp])[] = [
  ['json', /^(?:harmony|mistral|llama|phi|tool-list|functionary)$/],
  ['hermes', /^(?:granite|lm-studio)$/],
  ['pythonic', /^lfm2$/],
];

function bareName(model: string): string {
  return model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/^(?:nvidia|meta|google|ibm|c4ai)-/, '');
}

/** Which protocols suit a model, by what it was trained on. */
interface Suited {
  /** Used unless something else was chosen. */
  readonly protocol: string;
  /** For servers that take no tools, and for models that do not keep to the first. */
  readonly fallback: string;
}

/** For models that no protocol claims. */
const UNKNOWN: Suited = { protocol: 'native', fallback: 'invoke' };

/** For models that use a text protocol from the start and do not keep to it. */
const NEXT = 'vcp';

/** By the model's name as an endpoint knows it: `qwen/Qwen3-Coder-30B`, `deepseek-r1:7b`. */
export function suitedFor(model: string): Suited {
  const name = bareName(model);
  let longest = { suited: UNKNOWN, length: 0 };
  for (const { id, suits } of protocolNames) {
    for (const [pattern, suited] of [
      [suits?.first, { protocol: id, fallback: NEXT }],
      [suits?.fallback, { protocol: UNKNOWN.protocol, fallback: id }],
    ] as const) {
      const length = pattern?.exec(name)?.[0].length ?? 0;
      if (length > longest.length) longest = { suited, length };
    }
  }
  return longest.suited;
}

/** Families that begin a call without closing their thinking; their servers' parsers let such a call end it. */
const CALLS_END_THINKING =
  /^(?:qwen-?3|qwq|glm-?(?:4\.[5-9]|5)|kimi|deepseek-?(?:v?(?:3\.[1-9]|4)|r1)|gemma-?4|m(?:ag|in)istral|mistral|devstral|minimax|trinity|nemotron-?3|step-?3)/;

/** Whether a call in reasoning that is never closed was most likely meant, by the model's name at its endpoint. */
export function callsEndThinking(model: string): boolean {
  return CALLS_END_THINKING.test(bareName(model));
}

/** Text is not taken for calls in this form: it has the longest marks. */
const WITHOUT_SIGN = 'vcp';

/** The id of the protocol that a recorded reply is written in: the one whose sign comes first. */
export function detectProtocol(reply: string): string {
  let first = { id: WITHOUT_SIGN, index: Infinity };
  for (const { id, sign } of protocolNames) {
    const index = sign?.exec(reply)?.index ?? Infinity;
    if (index < first.index) first = { id, index };
  }
  return first.id;
}
