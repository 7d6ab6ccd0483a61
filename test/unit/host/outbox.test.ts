import assert from 'node:assert/strict';
import type { Session } from '../../../src/core/session';
import { Outbox, type Settled } from '../../../src/host/outbox';

function start(attachmentsFor: () => Promise<readonly []>) {
  const transcript = { running: false };
  const sent: string[] = [];
  // SAFETY: the outbox uses these two of a session.
  const session = {
    transcript,
    send: async (text: string) => {
      sent.push(text);
      transcript.running = true;
      return true;
    },
  } as unknown as Session;
  const conversation = { session };
  const outbox = new Outbox({ conversation, context: { attachmentsFor } });
  const settled: Settled[] = [];
  outbox.onSettled((each) => settled.push(each));
  return { outbox, sent, settled, conversation };
}

describe('outbox', () => {
  it('knows what is on its way until its run begins', async () => {
    let go = (_: readonly []): void => undefined;
    const { outbox, sent, settled } = start(() => new Promise((resolve) => (go = resolve)));
    const sending = outbox.send('a');
    assert.equal(outbox.sending, 'a');
    assert.deepEqual(settled, []);
    go([]);
    await sending;
    assert.deepEqual([outbox.sending, outbox.unsent, sent], [undefined, undefined, ['a']]);
    assert.deepEqual(settled, [{ text: 'a', isTaken: true }]);
  });

  it('holds what was not taken until a page has it', async () => {
    const { outbox, settled } = start(async () => []);
    await outbox.send('a');
    await outbox.send('b');
    await outbox.send('c');
    assert.equal(outbox.unsent, 'b\nc');
    assert.deepEqual(
      settled.slice(1).map(({ isTaken }) => isTaken),
      [false, false],
    );
    outbox.release();
    assert.equal(outbox.unsent, undefined);
  });

  it('holds what was written when something broke', async () => {
    const { outbox, settled } = start(() => Promise.reject(new Error('broken')));
    await assert.rejects(outbox.send('a'), /broken/);
    assert.deepEqual([outbox.sending, outbox.unsent], [undefined, 'a']);
    assert.deepEqual(settled, [{ text: 'a', isTaken: false }]);
  });
});
