import { protocolNames } from './names';

/** Which protocols suit a model, by what it was trained on. */
export interface Suited {
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
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
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
