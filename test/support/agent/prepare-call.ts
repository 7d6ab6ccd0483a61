import type { JsonObject } from '../../../src/base/json';
import { bindGiven } from '../../../src/core/run/bind';
import type { Caller, PreparedCall, Tool } from '../../../src/core/words/tool';

/** Prepares a call like the loop: binds its arguments first. */
export async function prepareCall(
  tool: Tool,
  input: JsonObject,
  signal: AbortSignal = new AbortController().signal,
  caller?: Caller,
): Promise<PreparedCall> {
  return tool.prepare(bindGiven(tool.spec, input).arguments, signal, caller);
}
