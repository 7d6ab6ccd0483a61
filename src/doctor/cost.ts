import { representableTools, type Contestant, type ExamRoom } from './take-exam';
import { ROUND, ROUNDS, taskOf } from './contest';
import { rightReply, resultsOf, type Exam } from './exam';
import { Random } from './random';
import type { Speed } from './report';
import { tasks } from './tasks';
import { parseReply } from '../core/reply/parse-reply';
import { rawText } from '../core/reply/deltas';
import type { Turn } from '../core/words/messages';

/** The cost of exams, as far as it is known before they are sent. */
export interface Cost {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface EstimatedCost extends Cost {
  /** Input tokens that differ from the request before, which servers remember. */
  readonly newTokens: number;
}

/** One round for all, after which the first are eliminated, and all rounds for all. */
export interface CostRange {
  readonly least: EstimatedCost;
  readonly most: EstimatedCost;
}

type Room = Pick<ExamRoom, 'instructions' | 'situation' | 'tools' | 'promptForm' | 'tokensIn'>;

/**
 * The cost if all replies are right: wrong ones end an exam early, or are as long as a reply may be. Samples one exam
 * of each kind instead of all rounds.
 */
export function estimateCost(contestants: readonly Contestant[], seed: number, given: Room): CostRange {
  const room = { ...given, tokensIn: remembering(given.tokensIn) };
  const exams = (count: number): EstimatedCost => {
    const costs = contestants.flatMap((contestant) => {
      const sent = new SentTexts();
      return Array.from({ length: count }, (_, number) => examCost(contestant, seed, number, room, sent));
    });
    return sumOfEstimates(costs);
  };
  return { least: exams(ROUND), most: scaled(exams(tasks.length), (ROUND * ROUNDS) / tasks.length) };
}

/** Requests for one small job, as measured with small models: a look, an edit, an answer, and what goes wrong. */
const REQUESTS_PER_JOB = 5;
/** Tokens that a request of a job adds to the one before, and those of its reply. */
const JOB_STEP = 200;
const JOB_REPLY = 80;

/** The cost of this many small jobs: the first request has the size of an exam's. */
export function estimateJobs(contestant: Contestant, seed: number, jobs: number, room: Room): EstimatedCost {
  const { requests, inputTokens } = examCost(contestant, seed, 0, room);
  const first = Math.ceil(inputTokens / requests);
  const sent = jobs * REQUESTS_PER_JOB;
  return {
    requests: sent,
    inputTokens: sent * first + (jobs * JOB_STEP * REQUESTS_PER_JOB * (REQUESTS_PER_JOB - 1)) / 2,
    newTokens: first + sent * JOB_STEP,
    outputTokens: sent * JOB_REPLY,
  };
}

/** Minutes for reading what is new and writing, at a speed in tokens a second; nothing if a part of it is not known. */
export function minutesFor(
  { newTokens, outputTokens }: EstimatedCost,
  { prompt, output }: Speed,
): number | undefined {
  if (prompt === undefined || output === undefined) return undefined;
  return Math.max(1, Math.round((newTokens / prompt + outputTokens / output) / 60));
}

/** The texts of the last request. */
class SentTexts {
  private last: readonly string[] = [];

  /** Tokens of these texts behind the beginning that they share with the last ones. */
  newTokens(texts: readonly string[], tokensIn: Room['tokensIn']): number {
    const shared = texts.findIndex((text, at) => text !== this.last[at]);
    this.last = texts;
    return shared < 0 ? 0 : sumOf(texts.slice(shared).map(tokensIn));
  }
}

/** Most of what is sent are the same descriptions of the same tools. */
function remembering(count: Room['tokensIn']): Room['tokensIn'] {
  const known = new Map<string, number>();
  return (text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

/** This part, or this multiple. */
export function scaled(
  { requests, inputTokens, newTokens, outputTokens }: EstimatedCost,
  factor: number,
): EstimatedCost {
  return {
    newTokens: Math.ceil(newTokens * factor),
    requests: Math.ceil(requests * factor),
    inputTokens: Math.ceil(inputTokens * factor),
    outputTokens: Math.ceil(outputTokens * factor),
  };
}

/** The cost of the exam with this number, after what was sent. */
export function examCost(
  contestant: Contestant,
  seed: number,
  number: number,
  room: Room,
  before = new SentTexts(),
): EstimatedCost {
  const { protocol } = contestant;
  const exam = taskOf(number).make(new Random(seed, number), protocol);
  return sumOfEstimates(requestCosts(exam, contestant, room, before));
}

function requestCosts(
  exam: Exam,
  { protocol }: Contestant,
  room: Room,
  before: SentTexts,
): readonly EstimatedCost[] {
  const tools = representableTools(exam, protocol, room);
  const { instructions, situation = '', promptForm, tokensIn } = room;
  const turns: Turn[] = [...exam.turns];
  return exam.steps.map((step) => {
    const request = protocol.request({ instructions, situation, turns: [...turns], tools, promptForm });
    const deltas = rightReply(step, protocol);
    const parts = parseReply(protocol, deltas, { tools }).parts.flatMap((part) =>
      part.type === 'warning' ? [] : [part],
    );
    turns.push({ type: 'reply', parts }, { type: 'results', results: resultsOf(step, parts) });
    const sent = [JSON.stringify(request.tools ?? ''), ...request.messages.map(({ content }) => content)];
    return {
      requests: 1,
      inputTokens: sumOf(sent.map(tokensIn)),
      newTokens: before.newTokens(sent, tokensIn),
      outputTokens: tokensIn(deltas.map(rawText).join('')),
    };
  });
}

export function sumOfCosts(costs: readonly Cost[]): Cost {
  return {
    requests: sumOf(costs.map(({ requests }) => requests)),
    inputTokens: sumOf(costs.map(({ inputTokens }) => inputTokens)),
    outputTokens: sumOf(costs.map(({ outputTokens }) => outputTokens)),
  };
}

export function sumOfEstimates(costs: readonly EstimatedCost[]): EstimatedCost {
  return { ...sumOfCosts(costs), newTokens: sumOf(costs.map(({ newTokens }) => newTokens)) };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
