import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/disposable';
import type { Activity } from '../../../../../src/core/transcript/activity';
import { registerWaitingNotice } from '../../../../../src/host/ui/chat/waiting-notice';

describe('notice of a call that waits', () => {
  const waiting = (calls: number): Activity => ({ type: 'waiting', calls });
  const reply: Activity = { type: 'reply' };
  const idle: Activity = { type: 'idle' };

  function told(activities: readonly Activity[], isSeen: (at: number) => boolean): readonly number[] {
    const changes = new Emitter<Activity>();
    const moments: number[] = [];
    let now = 0;
    const activity = { onChange: changes.event };
    const notice = registerWaitingNotice({
      activity,
      isSeen: () => isSeen(now),
      tell: () => moments.push(now),
    });
    for (const each of activities) {
      changes.fire(each);
      now++;
    }
    notice.dispose();
    changes.fire(waiting(9));
    return moments;
  }

  for (const { name, activities, isSeen = () => false, expected } of [
    {
      name: 'is shown once for any number of waiting calls',
      activities: [reply, waiting(1), waiting(2), waiting(1)],
      expected: [1],
    },
    {
      name: 'is shown again after the run has continued',
      activities: [waiting(1), reply, waiting(1)],
      expected: [0, 2],
    },
    {
      name: 'is not told to who sees it',
      activities: [waiting(1), waiting(2)],
      isSeen: () => true,
      expected: [],
    },
    {
      name: 'is told when one more waits for who has gone away',
      activities: [waiting(1), waiting(2)],
      isSeen: (at: number) => at === 0,
      expected: [1],
    },
    { name: 'is not shown if nothing waits', activities: [reply, idle], expected: [] },
  ]) {
    it(name, () => assert.deepEqual(told(activities, isSeen), expected));
  }
});
