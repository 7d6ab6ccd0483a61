import { protocolNames, type ProtocolName } from './names';

export function findProtocolName(id: string): ProtocolName | undefined {
  return protocolNames.find((name) => name.id === id);
}

/** What is known about the model for which a protocol is chosen. */
interface ProtocolHints {
  /** The protocol that the profile sets. */
  readonly protocol?: string | undefined;
  /** The model's name at its endpoint. */
  readonly model?: string | undefined;
  /** What the server reports: if `tools` is `false`, native tools never reach the model. */
  readonly facts?: { readonly tools?: boolean } | undefined;
  /** The model works in steps of one call, and its server can enforce such a form. */
  readonly stepForm?: 'grammar' | 'schema' | undefined;
  /** The protocol in which the model was seen to call. */
  readonly spokenProtocol?: string | undefined;
  /** Protocols whose markers its server drops. */
  readonly lostProtocols?: readonly string[] | undefined;
}

/** For steps of one call: what has to be copied stands there as it was seen. As JSON small models lose jobs. */
const BY_STEP_FORM = { grammar: 'plain', schema: 'json' } as const;

/**
 * Returns the wanted protocol; for `auto`, the profile's, otherwise the one that the model was seen to write, the one for
 * steps of one call, or the one that suits its name and server.
 */
export function chooseProtocol(wanted: string, hints: ProtocolHints): ProtocolName {
  const { protocol, model = '', facts, stepForm, spokenProtocol = '', lostProtocols = [] } = hints;
  const suited = suitedFor(model);
  const isDropped = facts?.tools === false && suited.protocol === UNKNOWN.protocol;
  const ofSteps = stepForm === undefined ? '' : BY_STEP_FORM[stepForm];
  const byItself = [
    spokenProtocol,
    ofSteps,
    isDropped ? suited.fallback : suited.protocol,
    ...WITHOUT_TOKENS,
  ];
  const ids = [wanted, protocol ?? '', ...byItself.filter((id) => !lostProtocols.includes(id))];
  for (const id of ids) {
    const found = findProtocolName(id);
    if (found) return found;
  }
  throw new Error(`The table of models names a protocol that there is not: ${ids.at(-1)}`);
}

/**
 * The id of a protocol to suggest to a model that wrote in another form, or that has trouble with the current protocol.
 */
export function suggestProtocol(
  seen: string | undefined,
  model: string,
  lost: readonly string[] = [],
): string {
  const nearest = NEAREST.find(([, forms]) => forms.test(seen ?? ''))?.[0] ?? seen ?? '';
  const found = findProtocolName(nearest)?.id ?? suitedFor(model).fallback;
  return [found, ...WITHOUT_TOKENS].find((id) => !lost.includes(id)) ?? found;
}

/** The protocol for a model that writes its calls in a form by itself. */
export function protocolToMoveTo(
  seen: string,
  { canForce, lost = [] }: { readonly canForce: boolean; readonly lost?: readonly string[] | undefined },
): ProtocolName {
  const own = findProtocolName(seen);
  if (own && !lost.includes(own.id)) return own;
  // SAFETY: both are protocols of the list.
  return findProtocolName(canForce ? BY_STEP_FORM.grammar : BY_STEP_FORM.schema)!;
}

/**
 * Forms that no model is asked to write, with the protocol that suits their families. Other forms use the general
 * suggestion.
 */
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

/** The protocols that suit a model, by its training. */
interface Suited {
  /** Used unless something else was chosen. */
  readonly protocol: string;
  /** For servers that do not support tools, and for models that do not follow the first. */
  readonly fallback: string;
}

/** For models that no protocol claims. */
const UNKNOWN: Suited = { protocol: 'native', fallback: 'invoke' };

/** Their markers are no control tokens of any model, so every server passes them on. */
const WITHOUT_TOKENS = [UNKNOWN.fallback, 'vcp', 'json'];

/** For models that use a text protocol from the start and do not follow it. */
const NEXT = 'vcp';

/** By the model's name at its endpoint: `qwen/Qwen3-Coder-30B`, `deepseek-r1:7b`. */
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

/** Families that begin a call without closing their reasoning; their servers' parsers let such a call end it. */
const CALLS_END_THINKING =
  /^(?:qwen-?3|qwq|glm-?(?:4\.[5-9]|5)|kimi|deepseek-?(?:v?(?:3\.[1-9]|4)|r1)|gemma-?4|m(?:ag|in)istral|mistral|devstral|minimax|trinity|nemotron-?3|step-?3)/;

/** Whether a call in unclosed reasoning was most likely meant, by the model's name at its endpoint. */
export function callsEndThinking(model: string): boolean {
  return CALLS_END_THINKING.test(bareName(model));
}

/** Text is never mistaken for calls in this form: it has the longest markers. */
const WITHOUT_SIGN = 'vcp';

/** The id of the protocol in which a recorded reply is written: the one whose sign comes first. */
export function detectProtocol(reply: string): string {
  let first = { id: WITHOUT_SIGN, index: Infinity };
  for (const { id, sign } of protocolNames) {
    const index = sign?.exec(reply)?.index ?? Infinity;
    if (index < first.index) first = { id, index };
  }
  return first.id;
}
