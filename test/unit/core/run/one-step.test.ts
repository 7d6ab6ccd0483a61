import assert from 'node:assert/strict';
import { OneStep } from '../../../../src/core/run/one-step';
import type { ReplyEvent } from '../../../../src/core/words/protocol';

const text = (said: string): ReplyEvent => ({ type: 'text', text: said });
const start = (index: number): ReplyEvent => ({ type: 'call-start', index, name: 'x' });
const end = (index: number): ReplyEvent => ({
  type: 'call-end',
  index,
  call: { id: `c${index}`, name: 'x', arguments: {}, start: 0, end: 0, notes: [], mark: 'clean' },
});

describe('a reply that is one step', () => {
  const rows: readonly {
    name: string;
    events: readonly ReplyEvent[];
    within: number;
    isOver: boolean;
  }[] = [
    { name: 'a thought and a call', events: [text('I look.'), start(0), end(0)], within: 3, isOver: false },
    { name: 'blanks behind it', events: [start(0), end(0), text('\n')], within: 3, isOver: false },
    { name: 'an answer', events: [text('The port '), text('is 3.')], within: 2, isOver: false },
    { name: 'words behind the call', events: [start(0), end(0), text('Done.')], within: 2, isOver: true },
    { name: 'a second call', events: [start(0), end(0), start(1), end(1)], within: 2, isOver: true },
    {
      name: 'words and a second call',
      events: [start(0), end(0), text('Then'), start(1), end(1)],
      within: 2,
      isOver: true,
    },
  ];
  for (const { name, events, within, isOver } of rows) {
    it(`has ${name}`, () => {
      for (const size of [1, events.length]) {
        const step = new OneStep();
        const kept = [];
        for (let at = 0; at < events.length; at += size)
          kept.push(...step.within(events.slice(at, at + size)));
        assert.deepEqual(kept, events.slice(0, within));
        assert.equal(step.isOver, isOver);
      }
    });
  }
});

describe('the length of a step', () => {
  const delta = (key: string): ReplyEvent => ({ type: 'call-delta', index: 0, key, text: 'x'.repeat(2_001) });
  const rows: readonly (readonly [name: string, event: ReplyEvent, isTooLong: boolean])[] = [
    ['a long thought', text('x'.repeat(2_001)), true],
    ['a long path', delta('path'), true],
    ['a long file', delta('content'), false],
    ['long lines to replace', delta('old'), false],
    ['a thought', text('x'.repeat(2_000)), false],
  ];
  for (const [name, event, isTooLong] of rows) {
    it(`${isTooLong ? 'is too much' : 'is fine'} with ${name}`, () => {
      const step = new OneStep();
      step.within([event]);
      assert.equal(step.isTooLong, isTooLong);
    });
  }
});
