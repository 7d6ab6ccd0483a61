import assert from 'node:assert/strict';
import { walk, type Outcome, type Steps } from '../../../../../../src/host/ui/models/add-model/walk';

type Step = 'a' | 'b' | 'c';
type Answer = Outcome<Step, string>;

/** Steps that give these answers in turn, and the places where they were asked. */
function scripted(answers: Readonly<Record<Step, readonly Answer[]>>): {
  readonly steps: Steps<Step, string>;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const left = { a: [...answers.a], b: [...answers.b], c: [...answers.c] };
  const step = (name: Step) => async (draft: string) => {
    asked.push(`${name}(${draft})`);
    const answer = left[name].shift();
    if (!answer) throw new Error(`${name} was asked once too often.`);
    return answer;
  };
  return { steps: { a: step('a'), b: step('b'), c: step('c') }, asked };
}

const to = (step: Step, draft: string, isPassed = false): Answer => ({ type: 'next', step, draft, isPassed });
const back: Answer = { type: 'back' };
const left: Answer = { type: 'left' };
const done = (draft: string): Answer => ({ type: 'done', draft });
const first = { step: 'a', draft: '' } as const;

describe('the steps of a dialog', () => {
  it('give what was entered when the last one is done', async () => {
    const { steps, asked } = scripted({ a: [to('b', 'x')], b: [to('c', 'xy')], c: [done('xyz')] });
    assert.equal(await walk(steps, first), 'xyz');
    assert.deepEqual(asked, ['a()', 'b(x)', 'c(xy)']);
  });

  it('give nothing if the user cancels', async () => {
    const { steps } = scripted({ a: [to('b', 'x')], b: [left], c: [] });
    assert.equal(await walk(steps, first), undefined);
  });

  it('go back to what was entered before', async () => {
    const { steps, asked } = scripted({ a: [to('b', 'x'), to('b', 'y')], b: [back, done('yes')], c: [] });
    assert.equal(await walk(steps, first), 'yes');
    assert.deepEqual(asked, ['a()', 'b(x)', 'a()', 'b(y)']);
  });

  it('go back past a step that has asked nothing', async () => {
    const { steps, asked } = scripted({ a: [to('b', 'x'), left], b: [to('c', 'xy', true)], c: [back] });
    assert.equal(await walk(steps, first), undefined);
    assert.deepEqual(asked, ['a()', 'b(x)', 'c(xy)', 'a()']);
  });

  it('go back to a step after the first one, and end after the last', async () => {
    const { steps, asked } = scripted({ a: [back], b: [back], c: [] });
    assert.equal(await walk(steps, { step: 'b', draft: 'x' }, [first]), undefined);
    assert.deepEqual(asked, ['b(x)', 'a()']);
  });
});
