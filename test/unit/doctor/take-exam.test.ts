import assert from 'node:assert/strict';
import type { ProviderMetadata } from '../../../src/core/words/provider-metadata';
import type { Turn } from '../../../src/core/words/messages';
import type { Model, ModelDelta } from '../../../src/core/words/model';
import { rightReply } from '../../../src/doctor/exam';
import { Random } from '../../../src/doctor/random';
import { takeExam } from '../../../src/doctor/take-exam';
import { tasks } from '../../../src/doctor/tasks';
import { contestant, examRoom } from '../../support/agent/exam-model';

const signal = new AbortController().signal;
const carried: ProviderMetadata = {
  origin: 'http://127.0.0.1',
  model: 'm',
  fields: { reasoning_content: 'Hm.' },
};

describe('an exam of several steps', () => {
  const { protocol } = contestant('native');
  const exam = tasks.find(({ id }) => id === 'steps')!.make(new Random(1), protocol);

  /** Does the right thing after the given reasoning. */
  const thinking = (...thoughts: readonly ModelDelta[]): { model: Model; turns: Turn[][] } => {
    const turns: Turn[][] = [];
    return {
      turns,
      model: {
        name: 'thinking',
        async *stream({ origin: { conversation } }) {
          turns.push([...conversation.turns]);
          yield* thoughts;
          yield* rightReply(exam.steps[turns.length - 1]!, protocol);
        },
      },
    };
  };

  it('gives the thoughts of each reply back with it', async () => {
    const { model, turns } = thinking({ type: 'reasoning', text: 'Hm.' }, { type: 'carried', carried });
    const outcome = await takeExam(exam, contestant('native'), { ...examRoom, model }, signal);
    assert.ok(outcome.type === 'result' && outcome.isRight);
    assert.ok(outcome.replies.every(({ hasReasoning }) => hasReasoning));
    const said = turns.at(-1)!.filter((turn) => turn.type === 'reply');
    assert.deepEqual(
      said.slice(-exam.steps.length + 1).map((turn) => turn.carried),
      exam.steps.slice(1).map(() => carried),
    );
  });

  it('says that a reply has no reasoning', async () => {
    const outcome = await takeExam(
      exam,
      contestant('native'),
      { ...examRoom, model: thinking().model },
      signal,
    );
    assert.ok(outcome.type === 'result' && outcome.replies.every(({ hasReasoning }) => !hasReasoning));
  });
});
