import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { parseObject, type JsonObject } from '../base/json';
import { limits } from '../base/limits';
import { redactData } from '../base/redact';
import { visibleText } from '../base/text';
import type { EndedCall, Hooks } from '../core/run/hooks';
import type { ApprovalRequest } from '../core/words/approval';
import type { RunOutcome } from '../core/words/outcome';
import { ToolError } from '../core/words/tool';
import type { Verdict } from '../core/words/verdict';
import { ask, deny, strictest } from '../policy/verdicts';
import { isWithin } from './files/path-file-system';
import { isBatchFile } from './processes/batch-file';
import { spawnProgram, type ChildProcess } from './processes/child-process';
import { commandEnvironment } from './processes/environment';
import { processTree, type ProcessTree } from './processes/process-tree';
import { findProgram, startProgram } from './processes/start-program';

/** The hooks as configured in `parley.hooks`. */
export interface HookSettings {
  readonly beforeCall?: readonly HookSetting[] | undefined;
  readonly afterCall?: readonly HookSetting[] | undefined;
  readonly runEnd?: readonly Omit<HookSetting, 'tools'>[] | undefined;
}

export interface HookSetting {
  /** Names of tools; `*` matches any characters; every tool if not given. */
  readonly tools?: string | readonly string[] | undefined;
  /** A program and its arguments. */
  readonly command: readonly string[];
  /** In seconds. */
  readonly timeout?: number | undefined;
}

export interface HookSurroundings {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  readonly isTrusted: () => boolean;
  /** Names of variables that hold keys, whatever they are called. */
  readonly withheld?: readonly string[];
  /** Removes known keys. */
  readonly redact: (text: string) => string;
  /** Receives the outcome of a hook, for the log. */
  readonly log: (line: string) => void;
}

/** The configured hooks, run as programs on this machine. */
export function programHooks(settings: HookSettings, surroundings: HookSurroundings): Hooks | undefined {
  const { beforeCall = [], afterCall = [], runEnd = [] } = settings;
  if (beforeCall.length + afterCall.length + runEnd.length === 0) return undefined;
  const { isTrusted } = surroundings;
  return {
    beforeCall: async (request, verdict, signal) => {
      const event = { event: 'beforeCall', ...callData(request), ...verdictData(verdict) };
      const said: Verdict[] = [];
      for (const hook of beforeCall.filter((each) => isFor(each, request))) {
        const answer = verdictOf(hook, await runHook(hook, event, surroundings, signal), surroundings);
        signal.throwIfAborted();
        if (answer) said.push(answer);
        if (answer?.decision === 'deny') break;
      }
      const [first, ...more] = said;
      return first && strictest(first, ...more);
    },
    afterCall: async (call, signal) => {
      // Hooks that check calls also run in Restricted Mode; others do not, because the workspace could make them run
      // its code.
      const hooks = isTrusted() ? afterCall.filter((each) => isFor(each, call.request)) : [];
      const notes: string[] = [];
      for (const hook of hooks) {
        if (signal.aborted) break;
        const note = noteOf(hook, await runHook(hook, endedData(call), surroundings, signal), surroundings);
        if (note !== undefined) notes.push(note);
      }
      return notes.length === 0 ? undefined : notes.join('\n');
    },
    runEnd: async (outcome) => {
      const never = new AbortController().signal;
      for (const hook of isTrusted() ? runEnd : [])
        noteOf(hook, await runHook(hook, outcomeData(outcome), surroundings, never), surroundings);
    },
  };
}

function callData({ call, effect, title, accesses, edited }: ApprovalRequest): object {
  return {
    tool: call.name,
    title,
    effect,
    arguments: edited ?? call.arguments,
    ...(edited && { edited: true }),
    accesses: accesses.map(({ kind, target, effect: does, verdict }) => ({
      kind,
      effect: does,
      target,
      ...verdictData(verdict),
    })),
  };
}

function verdictData({ decision, reason }: Verdict): object {
  return { decision, reason };
}

function endedData({ request, status, result }: EndedCall): object {
  const cutResult = result.slice(0, limits.hookResultCharacters);
  return { event: 'afterCall', ...callData(request), status, result: cutResult };
}

function outcomeData(outcome: RunOutcome): object {
  return {
    event: 'runEnd',
    outcome: outcome.type,
    ...('message' in outcome && { message: outcome.message }),
  };
}

function isFor({ tools }: HookSetting, { call }: ApprovalRequest): boolean {
  if (tools === undefined) return true;
  return [tools].flat().some((pattern) => matches(pattern, call.name));
}

/** The settings limit the number of stars, so that matching stays fast. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w-]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/**
 * The verdict of a hook on a call. Without output, the policy decides; invalid output makes the call wait for approval.
 */
function verdictOf(hook: HookSetting, end: HookEnd, { redact, log }: HookSurroundings): Verdict | undefined {
  const name = nameOf(hook);
  if (end.type === 'broken') {
    log(`Hook ${name}: ${end.reason}.${outputText(end.stderr)}`);
    return ask(end.reason);
  }
  const text = (given: unknown): string =>
    typeof given === 'string' ? cut(redact(given), limits.hookReasonCharacters) : '';
  const answer = end.stdout.trim() === '' ? {} : parseObject(end.stdout);
  if (end.code === DENIES) return deny(saidBy(name, text(answer?.['reason']) || text(end.stderr.trim())));
  if (end.code !== 0) {
    log(`Hook ${name}: exit code ${end.code}.${outputText(end.stderr)}`);
    return ask(`the hook ${name} failed with exit code ${end.code}`);
  }
  if (!answer) {
    log(`Hook ${name}: it did not print one JSON object.`);
    return ask(`the hook ${name} did not print one JSON object`);
  }
  const { decision, reason } = answer;
  if (decision === undefined) return undefined;
  if (decision === 'ask') return ask(saidBy(name, text(reason)));
  if (decision === 'deny') return deny(saidBy(name, text(reason)));
  log(`Hook ${name}: its decision is neither "ask" nor "deny".`);
  return ask(`the decision of the hook ${name} is neither "ask" nor "deny"`);
}

function saidBy(name: string, text: string): string {
  const reason = text === '' ? `the hook ${name} says so` : `a hook says: ${text}`;
  return reason;
}

/** The text of a hook for the model. Failures do not affect the call, so they are only logged. */
function noteOf(hook: HookSetting, end: HookEnd, { redact, log }: HookSurroundings): string | undefined {
  const name = nameOf(hook);
  if (end.type === 'broken') log(`Hook ${name}: ${end.reason}.${outputText(end.stderr)}`);
  else log(`Hook ${name}: exit code ${end.code}.${outputText(end.stdout)}${outputText(end.stderr)}`);
  const note = end.type === 'ended' && end.code === 0 ? parseObject(end.stdout)?.['note'] : undefined;
  return typeof note === 'string' && note !== '' ? cut(redact(note), limits.hookNoteCharacters) : undefined;
}

function cut(text: string, most: number): string {
  return visibleText(text.length > most ? `${text.slice(0, most)} […]` : text);
}

function outputText(output: string): string {
  const text = output.trim();
  return text === '' ? '' : `\n${cut(text, limits.hookNoteCharacters)}`;
}

/** For people: its program and first argument, which may be its script. Other arguments may be private. */
function nameOf({ command }: HookSetting): string {
  const words = command.slice(0, 2).map((word) => path.basename(word));
  return `"${cut(words.join(' '), 80)}"`;
}

/** With this exit code a hook refuses a call; what it printed as an error is the reason. */
const DENIES = 2;

type HookEnd =
  | { readonly type: 'ended'; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** It gave no answer, and `reason` says in a clause why not. */
  | { readonly type: 'broken'; readonly reason: string; readonly stderr: string };

type HookProcess = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

/** With links resolved; empty if the place does not exist. */
async function realPlace(place: string): Promise<string> {
  try {
    return await realpath(place);
  } catch (error) {
    // The word is not a valid path.
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}

/** Runs one hook until it ends or its time is over. Never rejects: a failure is reported as a broken end. */
async function runHook(
  hook: HookSetting,
  event: object,
  { roots, withheld = [], redact, isTrusted }: HookSurroundings,
  signal: AbortSignal,
): Promise<HookEnd> {
  const name = nameOf(hook);
  const broken = (reason: string, stderr = ''): HookEnd => ({ type: 'broken', reason, stderr });
  const [program = '', ...args] = hook.command;
  const cwd = homedir();
  const folders = [...new Set([...roots, ...(await Promise.all(roots.map(realPlace)))])];
  const executable = await findProgram(program, { cwd, roots: folders });
  if (executable === undefined) return broken(`the program of the hook ${name} was not found`);
  // Otherwise anyone who can change the workspace, including a model, could decide what a hook says and run code
  // through it.
  const places = [executable, ...(await Promise.all(args.map((word) => realPlace(path.resolve(cwd, word)))))];
  if (places.some((place) => place !== '' && folders.some((folder) => isWithin(place, folder))))
    return broken(`the hook ${name} names a place in the workspace, where others may change it`);
  if (isBatchFile(executable))
    return broken(`the hook ${name} is a batch file, which cannot be started safely`);
  if (signal.aborted) return broken(`the hook ${name} was stopped`);
  const data = redactData({ ...event, workspace: roots, isTrusted: isTrusted() }, redact) as JsonObject;
  const mark = randomUUID();
  const variables = { PARLEY_COMMAND: mark, PARLEY_WORKSPACE: roots[0] ?? '' };
  let child: HookProcess;
  try {
    child = await startProgram(
      () =>
        spawnProgram(executable, args, {
          argv0: program,
          cwd,
          env: { ...commandEnvironment(process.env, { roots, withheld }), ...variables },
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: process.platform !== 'win32',
          windowsHide: true,
        }),
      (cause) => new ToolError(cause.message, { cause }),
    );
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return broken(`the hook ${name} could not be started`, error.message);
  }
  return followHook(child, processTree(child.pid, mark), { hook, data, signal });
}

interface Following {
  readonly hook: HookSetting;
  readonly data: JsonObject;
  readonly signal: AbortSignal;
}

async function followHook(
  child: HookProcess,
  tree: ProcessTree,
  { hook, data, signal }: Following,
): Promise<HookEnd> {
  const name = nameOf(hook);
  const limit = hook.timeout === undefined ? limits.hookTimeoutMs : hook.timeout * 1000;
  const out = collected(child.stdout);
  const errors = collected(child.stderr);
  const killNow = (): void => tree.killNow();
  process.on('exit', killNow);
  // A hook that does not read its input may end before the input is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${JSON.stringify(data)}\n`);
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const end = await new Promise<{ readonly code: number | null } | { readonly reason: string }>((resolve) => {
    const flooded = (): void => resolve({ reason: `the hook ${name} printed far more than an answer` });
    out.onFull(flooded);
    errors.onFull(flooded);
    timer = setTimeout(() => resolve({ reason: `the hook ${name} did not end in ${limit / 1000} s` }), limit);
    stop = () => resolve({ reason: `the hook ${name} was stopped` });
    signal.addEventListener('abort', stop, { once: true });
    child.once('close', (code) => resolve({ code }));
    child.once('exit', (code) => {
      // Processes that the hook left running may keep its outputs open forever.
      setTimeout(() => resolve({ code }), limits.commandDrainMs);
    });
  });
  clearTimeout(timer);
  if (stop) signal.removeEventListener('abort', stop);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  await tree.end('reason' in end ? 'all' : 'group');
  process.off('exit', killNow);
  const stderr = errors.text();
  if ('reason' in end) return { type: 'broken', reason: end.reason, stderr };
  if (end.code === null) return { type: 'broken', reason: `the hook ${name} was ended by a signal`, stderr };
  return { type: 'ended', code: end.code, stdout: out.text(), stderr };
}

/** Keeps output up to a limit, and reports when the limit is reached. */
function collected(stream: Readable): {
  readonly text: () => string;
  readonly onFull: (listener: () => void) => void;
} {
  const pieces: Buffer[] = [];
  let size = 0;
  let full = (): void => undefined;
  stream.on('data', (piece: Buffer) => {
    if (size > limits.hookOutputBytes) return;
    size += piece.length;
    pieces.push(piece);
    if (size > limits.hookOutputBytes) full();
  });
  return {
    text: () => Buffer.concat(pieces).subarray(0, limits.hookOutputBytes).toString(),
    onFull: (listener) => {
      full = listener;
    },
  };
}
