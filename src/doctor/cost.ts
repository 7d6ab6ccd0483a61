import { representableTools, type Contestant, type ExamRoom } from './take-exam';
import { ROUND, ROUNDS, taskOf } from './contest';
import { rightReply, resultsOf, type Exam } from './exam';
import { Random } from './random';
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

/** One round for all, after which the first are eliminated, and all rounds for all. */
export interface CostRange {
  readonly least: Cost;
  readonly most: Cost;
}

type Room = Pick<ExamRoom, 'instructions' | 'situation' | 'tools' | 'promptForm' | 'tokensIn'>;

/**
 * The cost if all replies are right: wrong ones end an exam early, or are as long as a reply may be. Samples one exam
 * of each kind instead of all rounds.
 */
export function estimateCost(contestants: readonly Contestant[], seed: number, given: Room): CostRange {
  const room = { ...given, tokensIn: remembering(given.tokensIn) };
  const exams = (count: number): Cost =>
    sumOfCosts(
      contestants.flatMap((contestant) =>
        Array.from({ length: count }, (_, number) => examCost(contestant, seed, number, room)),
      ),
    );
  return { least: exams(ROUND), most: times(exams(tasks.length), (ROUND * ROUNDS) / tasks.length) };
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

function times({ requests, inputTokens, outputTokens }: Cost, factor: number): Cost {
  return {
    requests: Math.ceil(requests * factor),
    inputTokens: Math.ceil(inputTokens * factor),
    outputTokens: Math.ceil(outputTokens * factor),
  };
}

/** The cost of the exam with this number. */
export function examCost(contestant: Contestant, seed: number, number: number, room: Room): Cost {
  const { protocol } = contestant;
  const exam = taskOf(number).make(new Random(seed, number), protocol);
  return sumOfCosts(requestCosts(exam, contestant, room));
}

function requestCosts(exam: Exam, { protocol }: Contestant, room: Room): readonly Cost[] {
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
    const sent = [...request.messages.map(({ content }) => content), JSON.stringify(request.tools ?? '')];
    return {
      requests: 1,
      inputTokens: sent.map(tokensIn).reduce((sum, tokens) => sum + tokens, 0),
      outputTokens: tokensIn(deltas.map(rawText).join('')),
    };
  });
}

export function sumOfCosts(costs: readonly Cost[]): Cost {
  return {
    requests: costs.reduce((sum, { requests }) => sum + requests, 0),
    inputTokens: costs.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: costs.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}
