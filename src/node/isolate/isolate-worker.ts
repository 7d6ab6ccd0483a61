import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import loadModule from '@jitl/quickjs-wasmfile-release-sync/emscripten-module';
import { QuickJSFFI } from '@jitl/quickjs-wasmfile-release-sync/ffi';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { IsolateEnd } from '../../tools/ports/isolate';
import { readPacked } from '../packed-file';

/** The task of one thread. Times are in milliseconds. */
export interface IsolateTask {
  readonly code: string;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** Applies to the output and to the value. */
  readonly outputCharacters: number;
}

const base: QuickJSSyncVariant = {
  type: 'sync',
  importFFI: () => Promise.resolve(QuickJSFFI),
  importModuleLoader: () => Promise.resolve(loadModule),
};
const variant = newVariant(base, {
  wasmBinary: async () => {
    const bytes = await readPacked(path.join(__dirname, 'emscripten-module.wasm'));
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  },
});

// SAFETY: only `createIsolate` starts this thread.
void evaluate(workerData as IsolateTask).then((end) => parentPort?.postMessage(end));

/** Frees nothing, because the thread ends after its answer. */
async function evaluate(task: IsolateTask): Promise<IsolateEnd> {
  const engine = await newQuickJSWASMModuleFromVariant(variant);
  const runtime = engine.newRuntime({
    memoryLimitBytes: task.memoryBytes,
    maxStackSizeBytes: task.stackBytes,
  });
  const context = runtime.newContext();
  const printed = new Printed(task.outputCharacters);
  const show = installPrelude(context, printed);

  const deadline = performance.now() + task.timeoutMs;
  let isLate = false;
  runtime.setInterruptHandler(() => (isLate ||= performance.now() > deadline));
  const end = (how: IsolateEnd['how']): IsolateEnd => ({
    printed: printed.text,
    isCut: printed.isCut,
    how: isLate ? { type: 'timeout' } : how,
  });
  try {
    const result = run(context, task.code);
    if (result.type === 'pending') return end(result);
    const text = textOf(context, show, result.value, task.outputCharacters);
    return end({ ...text, type: result.type });
  } catch (error) {
    // The engine parses nested text recursively, and the stack of its thread is limited.
    if (error instanceof RangeError) return end({ type: 'crashed' });
    throw error;
  }
}

/** Joins printed texts, up to a limit. */
class Printed {
  text = '';
  isCut = false;

  constructor(private readonly most: number) {}

  add(line: string): void {
    if (this.isCut) return;
    const room = this.most - this.text.length;
    this.isCut = line.length > room;
    this.text += this.isCut ? line.slice(0, room) : `${line}\n`;
  }
}

function installPrelude(context: QuickJSContext, printed: Printed): QuickJSHandle {
  const print = context.newFunction('print', (line) => {
    // Past the limit, nothing more is copied out of the engine.
    if (!printed.isCut) printed.add(context.getString(line));
  });
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
  return context.unwrapResult(context.callFunction(prelude, context.undefined, print));
}

type Result =
  | { readonly type: 'value' | 'error'; readonly value: QuickJSHandle }
  /** A promise that nothing will settle. */
  | { readonly type: 'pending' };

function run(context: QuickJSContext, code: string): Result {
  const { text, isAsync } = runnable(context, code);
  const ended = context.evalCode(text, 'code.js', isAsync ? ASYNC : 0);
  if (ended.error) return { type: 'error', value: ended.error };
  const result = settled(context, ended.value);
  if (!isAsync || result.type !== 'value') return result;
  // The engine wraps the value, so a value that is itself a promise must still be settled.
  return settled(context, context.getProp(result.value, 'value'));
}

function settled(context: QuickJSContext, value: QuickJSHandle): Result {
  const jobs = context.runtime.executePendingJobs();
  if (jobs.error) return { type: 'error', value: jobs.error };
  const state = context.getPromiseState(value);
  switch (state.type) {
    case 'fulfilled':
      return { type: 'value', value: state.value };
    case 'rejected':
      return { type: 'error', value: state.error };
    case 'pending':
      return { type: 'pending' };
  }
}

/** `JS_EVAL_FLAG_COMPILE_ONLY` of the engine. */
const COMPILE_ONLY = 1 << 5;
/** `JS_EVAL_FLAG_ASYNC` of the engine: `await` at the top of a script. The binding has no name for it. */
const ASYNC = 1 << 7;

interface Runnable {
  readonly text: string;
  readonly isAsync: boolean;
}

/** Models write `await` and `return` at the top level. Code with a `return` is valid as the body of a function. */
function runnable(context: QuickJSContext, code: string): Runnable {
  const body = `(async () => {${code}\n})()`;
  const ways = [
    { text: code, isAsync: false },
    { text: code, isAsync: true },
    { text: body, isAsync: false },
  ];
  return ways.find((way) => compiles(context, way)) ?? { text: code, isAsync: false };
}

function compiles(context: QuickJSContext, { text, isAsync }: Runnable): boolean {
  const compiled = context.evalCode(text, 'code.js', COMPILE_ONLY | (isAsync ? ASYNC : 0));
  const isFine = compiled.error === undefined;
  compiled.dispose();
  return isFine;
}

function textOf(
  context: QuickJSContext,
  show: QuickJSHandle,
  value: QuickJSHandle,
  most: number,
): { readonly text: string; readonly omitted: number } {
  const shown = context.callFunction(show, context.undefined, value);
  // A getter threw, or there is no memory left for the text.
  const text = shown.error ? '[a value that cannot be shown]' : context.getString(shown.value);
  return { text: text.slice(0, most), omitted: Math.max(0, text.length - most) };
}

/**
 * JavaScript that the engine runs before the requested code: defines `console`, and returns the function that turns a
 * value into text. It receives a function that passes text out of the engine. If the code changes it, only that code is
 * affected.
 */
const PRELUDE = `(print) => {
  const { stringify } = JSON;
  const name = (value) => value.name || 'anonymous';
  const plain = (value) => {
    switch (typeof value) {
      case 'bigint': return value + 'n';
      case 'function': return '[function ' + name(value) + ']';
      case 'symbol': return String(value);
      case 'undefined': return '[undefined]';
      case 'number': return Number.isFinite(value) ? value : '[' + value + ']';
      case 'object':
        if (value instanceof Error) return value.name + ': ' + value.message;
        if (value instanceof Map) return { Map: [...value] };
        if (value instanceof Set) return { Set: [...value] };
        if (value instanceof RegExp) return String(value);
        if (ArrayBuffer.isView(value) && 'length' in value) return Array.from(value);
        return value;
      default: return value;
    }
  };
  const json = (value, indent) => {
    const around = [];
    return stringify(value, function (key, given) {
      const inner = plain(given);
      if (typeof inner !== 'object' || inner === null) return inner;
      while (around.length > 0 && around[around.length - 1] !== this) around.pop();
      if (around.includes(inner)) return '[circular]';
      around.push(inner);
      return inner;
    }, indent);
  };
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message + (value.stack ? '\\n' + value.stack.trimEnd() : '');
    if (typeof value !== 'object' || value === null || value instanceof RegExp) {
      return typeof value === 'bigint' ? value + 'n' : typeof value === 'function' ? '[function ' + name(value) + ']' : String(value);
    }
    const line = json(value);
    return line !== undefined && line.length > 100 ? json(value, 2) : String(line);
  };
  const log = (...values) => { print(values.map(show).join(' ')); };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log, table: log, dir: log };
  return show;
}`;
