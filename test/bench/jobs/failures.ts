import { builtInSpecs } from '../../../src/cli/built-in';
import type { TapReply } from './tap';

/** What a failed run left behind. */
export interface FailedRun {
  readonly isAnswerOnly: boolean;
  /** The time was over. */
  readonly isTimeOut: boolean;
  /** How the agent says that the run ended. */
  readonly outcome: 'done' | 'repetition' | 'budget' | 'failed';
  readonly replies: readonly TapReply[];
  /** Calls that the agent understood, as name and arguments, in order. */
  readonly calls: readonly string[];
  /** Calls that it could not read. */
  readonly malformed: number;
  /** The last reply as the user reads it. */
  readonly answer: string;
  /** A file is not as it was. */
  readonly isChanged: boolean;
}

/** Output tokens of a reply that is too long for a small job. */
const LONG_REPLY = 2_000;
/** So many equal calls in a row are a loop. */
const EQUAL_CALLS = 4;

/** Why runs fail. The first that holds is the reason, and the last always holds. */
const FAILURES: readonly { readonly why: string; readonly holds: (run: FailedRun) => boolean }[] = [
  { why: 'repetition', holds: isRepetition },
  { why: 'time-out', holds: ({ isTimeOut }) => isTimeOut },
  { why: 'too-many-rounds', holds: ({ outcome }) => outcome === 'budget' },
  { why: 'agent-failed', holds: ({ outcome, replies }) => outcome === 'failed' || replies.length === 0 },
  { why: 'empty-reply', holds: ({ answer }) => answer.trim() === '' },
  { why: 'call-as-text', holds: ({ answer }) => isCallAsText(answer) },
  { why: 'malformed-calls', holds: ({ calls, malformed }) => malformed > 0 && calls.length === 0 },
  { why: 'announced-only', holds: ({ answer }) => isAnnouncement(answer) },
  { why: 'invented-answer', holds: ({ isAnswerOnly, calls }) => isAnswerOnly && calls.length === 0 },
  { why: 'harm', holds: ({ isAnswerOnly, isChanged }) => isAnswerOnly && isChanged },
  { why: 'wrong-answer', holds: ({ isAnswerOnly }) => isAnswerOnly },
  { why: 'wrong-edit', holds: ({ isChanged }) => isChanged },
  { why: 'claimed-only', holds: ({ answer }) => isClaim(answer) },
  { why: 'no-call', holds: ({ calls }) => calls.length === 0 },
  { why: 'nothing-changed', holds: () => true },
];

export const REASONS: readonly string[] = FAILURES.map(({ why }) => why);

export function whyFailed(run: FailedRun): string {
  return FAILURES.find(({ holds }) => holds(run))!.why;
}

function isRepetition({ outcome, replies, calls }: FailedRun): boolean {
  const last = calls.slice(-EQUAL_CALLS);
  const isLoop = last.length === EQUAL_CALLS && new Set(last).size === 1;
  return outcome === 'repetition' || isLoop || replies.some(({ outputTokens }) => outputTokens > LONG_REPLY);
}

const TOOLS = [
  ...builtInSpecs().map(({ name }) => name),
  'bash',
  'execute_command',
  'create_file',
  'call_tool',
];
const CALLS: readonly RegExp[] = [
  /\{\s*"?(name|tool|tool_name|tool_calls|function|recipient_name)"?\s*:\s*["[{]/,
  /<\/?\|?(tool_calls?|tools?|call_tool|function_calls?|function|invoke|tool_use|tool_request)\b/i,
  /<<<\[\w+\]>>>/,
  new RegExp(`(^|\`|\\n)\\s*(${TOOLS.join('|')})\\s*[({:]`),
  /```(bash|sh|shell|console)\n/,
];

/** The text has a call, or a command to run, that no agent has understood. */
function isCallAsText(text: string): boolean {
  return CALLS.some((call) => call.test(text));
}

/** The last sentence says what will happen next. */
function isAnnouncement(text: string): boolean {
  const sentences = text.trim().split(/(?<=[.!?:])\s+|(?<=[。!?:])/);
  const last = sentences.filter((sentence) => sentence !== '').at(-1) ?? '';
  return /\b(I will|I'll|I am going to|I'm going to|let me|let's|I need to|first,? I|next,? I)\b|我将|我会|我来|让我|接下来|首先/i.test(
    last,
  );
}

function isClaim(text: string): boolean {
  return /\b(has|have|was|were|is|are) (now |been |successfully )*\w+(ed|en|set|put)\b|\b(done|I(?:'ve| have)? \w+ed|created|updated|changed|added|renamed|moved|deleted|fixed)\b|已|完成/i.test(
    text,
  );
}
