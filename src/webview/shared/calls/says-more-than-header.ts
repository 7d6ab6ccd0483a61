import type { JsonObject } from '../../../base/json';

/** The header shows one short text; a call with more arguments has something to unfold. */
export function saysMoreThanHeader(values: JsonObject): boolean {
  const [first, ...others] = Object.values(values);
  if (first === undefined) return false;
  return others.length > 0 || typeof first !== 'string' || first.length > 40 || first.includes('\n');
}
