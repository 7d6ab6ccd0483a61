import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/disposable';
import type { AgentEvent } from '../../../../../src/core/words/events';
import type { RunOutcome } from '../../../../../src/core/words/outcome';
import { registerRunNotice } from '../../../../../src/host/ui/chat/run-notice';

const done: RunOutcome = { type: 'done' };
const failed: RunOutcome = { type: 'failed', message: 'No answer.' };

const rows: readonly {
  name: string;
  seconds: number;
  isSeen?: true;
  outcome: RunOutcome;
  isTold: boolean;
}[] = [
  { name: 'a long run', seconds: 30, outcome: done, isTold: true },
  { name: 'a long run that failed', seconds: 90, outcome: failed, isTold: true },
  { name: 'no short run', seconds: 29, outcome: done, isTold: false },
  { name: 'no run that the user has watched', seconds: 90, isSeen: true, outcome: done, isTold: false },
  { name: 'no run that the user has stopped', seconds: 90, outcome: { type: 'aborted' }, isTold: false },
];

describe('notice of the end of a run', () => {
  function watched(isSeen: boolean) {
    const events = new Emitter<AgentEvent>();
    const replaced = new Emitter<undefined>();
    const told: RunOutcome[] = [];
    let time = 5_000;
    const notice = registerRunNotice({
      // SAFETY: our emitter differs from VS Code's only in what it returns to listeners.
      conversation: { onEvent: events.event, onReplaced: replaced.event },
      isSeen: () => isSeen,
      tell: (outcome) => told.push(outcome),
      now: () => time,
    });
    const start = (): void => events.fire({ type: 'run-start', text: 'go', time });
    const end = (outcome: RunOutcome): void => events.fire({ type: 'run-end', outcome });
    return { notice, replaced, told, start, end, pass: (seconds: number) => (time += seconds * 1000) };
  }

  for (const { name, seconds, isSeen = false, outcome, isTold } of rows) {
    it(`tells of ${name}`, () => {
      const { told, start, end, pass } = watched(isSeen);
      start();
      pass(seconds);
      end(outcome);
      assert.deepEqual(told, isTold ? [outcome] : []);
    });
  }

  it('restarts for each run, and forgets the run of a session that was left', () => {
    const { told, replaced, start, end, pass } = watched(false);
    start();
    pass(20);
    end(done);
    start();
    pass(20);
    end(done);
    start();
    replaced.fire(undefined);
    pass(90);
    end(done);
    assert.deepEqual(told, []);
  });

  it('ends when it is disposed', () => {
    const { notice, told, start, end, pass } = watched(false);
    start();
    notice.dispose();
    pass(90);
    end(done);
    assert.deepEqual(told, []);
  });
});
