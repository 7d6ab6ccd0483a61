import type { Turn } from '../../../src/core/words/messages';
import type { Model, ModelDelta, ModelRequest } from '../../../src/core/words/model';
import type { Protocol } from '../../../src/core/words/protocol';
import { rightReply, type Exam } from '../../../src/doctor/exam';
import { Random } from '../../../src/doctor/random';
import type { Contestant, ExamRoom } from '../../../src/doctor/take-exam';
import { ROUND, ROUNDS, taskOf } from '../../../src/doctor/contest';
import { findProtocol } from '../../../src/protocols';
import { builtInSpecs } from '../../../src/cli/built-in';

export function contestant(id: string): Contestant {
  return { id, protocol: findProtocol(id)!, isForced: false };
}

/** About four characters a token. */
export const tokensIn = (text: string): number => Math.ceil(text.length / 4);

export const examRoom = {
  instructions: 'You are an agent.',
  tools: builtInSpecs(),
  promptForm: 'short',
  callsEndThinking: false,
  tokensIn,
  now: () => 0,
} as const satisfies Omit<ExamRoom, 'model'>;

interface ExamModelOptions {
  readonly protocol: Protocol;
  readonly seed: number;
  /** The share of exams that it gets wrong, from 0 to 1. */
  readonly errors: number;
  readonly random: Random;
}

/**
 * Knows all exams of this seed, and gets this share wrong: it says something that is not a call, or makes an unneeded
 * call.
 */
export class ExamModel implements Model {
  readonly name = 'known';
  private readonly exams: ReadonlyMap<string, Exam>;
  private isWrong = false;

  constructor(private readonly rates: ExamModelOptions) {
    this.exams = examsOf(rates.protocol, rates.seed);
  }

  async *stream({ origin: { conversation } }: ModelRequest): AsyncGenerator<ModelDelta, void, undefined> {
    const { protocol, random, errors } = this.rates;
    const { turns } = conversation;
    const exam = this.exams.get(questionIn(turns))!;
    const step = (turns.length - exam.turns.length) / 2;
    if (step === 0) this.isWrong = random.next() < errors;
    const wanted = exam.steps[step]!;
    if (!this.isWrong) return yield* rightReply(wanted, protocol);
    yield* protocol.renderReply(wanted.type === 'answer' ? IN_VAIN : [{ type: 'text', text: 'I will.' }]);
    yield { type: 'end', reason: 'stop' };
  }
}

/** All exams of a contest, by their questions. */
export function examsOf(protocol: Protocol, seed: number): ReadonlyMap<string, Exam> {
  const numbers = Array.from({ length: ROUND * ROUNDS }, (_, number) => number);
  return new Map(
    numbers.map((number) => {
      const exam = taskOf(number).make(new Random(seed, number), protocol);
      return [questionIn(exam.turns), exam];
    }),
  );
}

/** Returns the last user message. */
function questionIn(turns: readonly Turn[]): string {
  const turn = turns.findLast(({ type }) => type === 'user');
  return turn?.type === 'user' ? turn.text : '';
}

const IN_VAIN = [{ type: 'call', call: { id: 'k', name: 'read_file', arguments: { path: 'a' } } }] as const;
