import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/disposable';
import type { Session } from '../../../../../src/core/session';
import type { ImageAttachment } from '../../../../../src/core/words/attachment';
import type { AgentEvent } from '../../../../../src/core/words/events';
import type { RunOutcome } from '../../../../../src/core/words/outcome';
import { Outbox } from '../../../../../src/host/services/runs/outbox';
import type { SendOutcome } from '../../../../../src/host/services/runs/message-queue';

const shot: ImageAttachment = {
  ...{ type: 'image', label: 'shot', isPasted: true },
  image: { mediaType: 'image/png', data: 'AA==' },
};

/** The message that is there from the beginning. */
const said = { entry: 0, text: 'said' };

type AttachmentsFor = ConstructorParameters<typeof Outbox>[0]['attachments']['attachmentsFor'];

interface Started {
  readonly attachmentsFor?: AttachmentsFor;
  readonly confirmRewind?: (entry: number) => Promise<boolean>;
  readonly pasted?: readonly ImageAttachment[];
}

/** An outbox over a session that runs until it is told to end. */
function start({ attachmentsFor, confirmRewind, pasted = [] }: Started = {}) {
  const events = new Emitter<AgentEvent>();
  const replaced = new Emitter<undefined>();
  const sent: string[] = [];
  let stops = 0;
  let isRestoring = false;
  const open = () => {
    const transcript = { running: false, entries: [{ type: 'user', text: 'said', attachments: [] }] };
    const session = {
      transcript,
      get isBusy() {
        return transcript.running || isRestoring;
      },
      send: async (text: string) => {
        sent.push(text);
        transcript.running = true;
        return true;
      },
      rewind: (entry: number) => {
        sent.push(`back to ${entry}`);
        return entry === 0;
      },
      stop: () => (stops += 1),
    };
    // SAFETY: the outbox uses these of a session.
    return { transcript, session: session as unknown as Session };
  };
  let shown = open();
  const conversation = {
    get session() {
      return shown.session;
    },
    onEvent: events.event,
    onReplaced: replaced.event,
  };
  /** Another session is shown, which begins alike. */
  const replace = (): void => {
    shown = open();
    replaced.fire(undefined);
  };
  const images = [...pasted];
  const forgotten: ImageAttachment[] = [];
  const errors: unknown[] = [];
  const outbox = new Outbox({
    conversation,
    attachments: { attachmentsFor: attachmentsFor ?? (async () => []) },
    images: {
      take: () => images.splice(0),
      putBack: (back) => void images.push(...back),
      forget: (gone) => void forgotten.push(...gone),
    },
    confirmRewind: confirmRewind ?? (async () => true),
    onError: (error) => errors.push(error),
  });
  const outcomes: SendOutcome[] = [];
  outbox.onSendOutcome((each) => outcomes.push(each));
  const end = async (outcome: RunOutcome = { type: 'done' }): Promise<void> => {
    shown.transcript.running = false;
    events.fire({ type: 'run-end', outcome });
    await tick();
  };
  /** The user restores files until the test ends it. */
  const restore = () => {
    const change = { path: '/w/a.txt', display: 'a.txt', before: 'b' };
    isRestoring = true;
    events.fire({ type: 'restore', entry: 0, changes: [change] });
    return async (): Promise<void> => {
      isRestoring = false;
      events.fire({ type: 'restore', entry: 0, changes: [{ ...change, after: 'a' }] });
      await tick();
    };
  };
  const texts = (): readonly string[] => outbox.state.queued.map(({ text }) => text);
  return {
    ...{ outbox, sent, outcomes, errors, end, texts, replace, restore },
    images: () => images,
    forgotten: () => forgotten,
    paste: () => void images.push(shot),
    stops: () => stops,
  };
}

/** A message that is sent reads its attachments first. */
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('outbox', () => {
  it('knows what is on its way until its run begins', async () => {
    let go = (_: readonly []): void => undefined;
    const { outbox, sent, outcomes } = start({ attachmentsFor: () => new Promise((done) => (go = done)) });
    const sending = outbox.send('a');
    assert.equal(outbox.state.sending, 'a');
    assert.deepEqual(outcomes, []);
    go([]);
    await sending;
    assert.deepEqual([outbox.state.sending, outbox.unsent, sent], [undefined, undefined, ['a']]);
    assert.deepEqual(outcomes, [{ text: 'a', isTaken: true }]);
  });

  it('holds what was written, and its images, when something broke', async () => {
    const { outbox, outcomes, images } = start({
      attachmentsFor: () => Promise.reject(new Error('broken')),
      pasted: [shot],
    });
    await assert.rejects(outbox.send('a'), /broken/);
    assert.deepEqual([outbox.state.sending, outbox.unsent, images()], [undefined, { text: 'a' }, [shot]]);
    assert.deepEqual(outcomes, [{ text: 'a', isTaken: false }]);
  });

  it('sends nothing if the user does not enter a required value, and returns the message', async () => {
    const { outbox, sent, outcomes, images } = start({
      attachmentsFor: async () => undefined,
      pasted: [shot],
    });
    await outbox.send('/mcp.a.b');
    assert.deepEqual([sent, outcomes], [[], [{ text: '/mcp.a.b', isTaken: false }]]);
    assert.deepEqual([outbox.unsent, images()], [{ text: '/mcp.a.b' }, [shot]]);
  });

  it('gives back what the user stops while a server hangs that it names', async () => {
    const heard: boolean[] = [];
    const { outbox, sent, outcomes, errors, images, stops } = start({
      attachmentsFor: (_text, _along, signal) => {
        signal.addEventListener('abort', () => heard.push(signal.aborted));
        return new Promise(() => undefined);
      },
      pasted: [shot],
    });
    const sending = outbox.send('@mcp:slow:x');
    await tick();
    outbox.stop();
    await sending;
    assert.deepEqual([sent, outcomes], [[], [{ text: '@mcp:slow:x', isTaken: false }]]);
    assert.deepEqual([outbox.state.sending, outbox.unsent], [undefined, { text: '@mcp:slow:x' }]);
    assert.deepEqual([heard, images(), errors, stops()], [[true], [shot], [], 1]);
  });

  it('gives it back when another session is opened meanwhile, too', async () => {
    const { outbox, replace } = start({ attachmentsFor: () => new Promise(() => undefined) });
    const sending = outbox.send('a', { instead: said });
    await tick();
    replace();
    await sending;
    assert.deepEqual([outbox.state.sending, outbox.unsent], [undefined, { text: 'a' }]);
  });

  it('gives it back when files that it may name are restored', async () => {
    let go = (_: readonly []): void => undefined;
    const { outbox, sent, restore } = start({ attachmentsFor: () => new Promise((done) => (go = done)) });
    const sending = outbox.send('a', { instead: said });
    await tick();
    const restored = restore();
    go([]);
    await sending;
    await restored();
    assert.deepEqual([sent, outbox.unsent], [[], { text: 'a', instead: said }]);
  });

  it('does not treat a failure caused by a stop as an error', async () => {
    const { outbox } = start({
      attachmentsFor: (_text, _along, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    });
    const sending = outbox.send('a');
    await tick();
    outbox.stop();
    await sending;
    assert.deepEqual(outbox.unsent, { text: 'a' });
  });

  it('keeps an undelivered draft until a page shows it', async () => {
    const { outbox } = start({ confirmRewind: async () => false });
    await outbox.send('a', { instead: said });
    assert.deepEqual(outbox.unsent, { text: 'a', instead: said });
    await outbox.send('b', { instead: said });
    assert.deepEqual(outbox.unsent, { text: 'a\nb' });
    outbox.release({ text: 'a' });
    assert.deepEqual(outbox.unsent, { text: 'a\nb' });
    outbox.release({ text: 'a\nb' });
    assert.equal(outbox.unsent, undefined);
  });

  it('replaces only the intended message', async () => {
    const { outbox, sent, outcomes } = start();
    await outbox.send('a', { instead: { entry: 0, text: 'said elsewhere' } });
    assert.deepEqual([sent, outcomes], [[], [{ text: 'a', isTaken: false }]]);
  });

  it('forgets in another conversation which message to replace', async () => {
    let go = (_: readonly []): void => undefined;
    const started = start({ attachmentsFor: () => new Promise((done) => (go = done)) });
    const { outbox, sent } = started;
    const sending = outbox.send('a', { instead: said });
    await tick();
    started.replace();
    go([]);
    await sending;
    assert.deepEqual([sent, outbox.unsent], [[], { text: 'a' }]);
  });

  it('also forgets it for a kept draft', async () => {
    const { outbox, replace } = start({ confirmRewind: async () => false });
    await outbox.send('a', { instead: said });
    replace();
    assert.deepEqual(outbox.unsent, { text: 'a' });
  });

  describe('queue', () => {
    it('sends one message after each run that ends by itself, in order', async () => {
      const { outbox, sent, end, texts } = start();
      for (const text of ['a', 'b', 'c']) await outbox.send(text);
      assert.deepEqual([sent, texts()], [['a'], ['b', 'c']]);
      await end();
      assert.deepEqual([sent, texts()], [['a', 'b'], ['c']]);
      await end();
      assert.deepEqual([sent, texts()], [['a', 'b', 'c'], []]);
    });

    it('sends messages written meanwhile once files are restored', async () => {
      const { outbox, sent, restore, texts } = start();
      const restored = restore();
      for (const text of ['a', 'b']) await outbox.send(text);
      assert.deepEqual([sent, texts()], [[], ['a', 'b']]);
      await restored();
      assert.deepEqual([sent, texts(), outbox.state.isWaiting], [['a'], ['b'], false]);
    });

    it('keeps a message that is stopped while being sent first in line, and waits for the user', async () => {
      const { outbox, sent, end, texts } = start({
        attachmentsFor: (text) => (text === 'b' ? new Promise(() => undefined) : Promise.resolve([])),
      });
      for (const text of ['a', 'b', 'c']) await outbox.send(text);
      await end();
      assert.equal(outbox.state.sending, 'b');
      outbox.stop();
      await tick();
      assert.deepEqual([sent, texts(), outbox.state.isWaiting], [['a'], ['b', 'c'], true]);
      assert.deepEqual([outbox.state.sending, outbox.unsent], [undefined, undefined]);
    });

    for (const outcome of [
      { type: 'aborted' },
      { type: 'failed', message: 'no' },
      { type: 'budget', message: 'paused', canContinue: true },
    ] as const) {
      it(`waits for the user after a run that ends as ${outcome.type}`, async () => {
        const { outbox, sent, end } = start();
        await outbox.send('a');
        await outbox.send('b');
        await end(outcome);
        assert.deepEqual([sent, outbox.state.isWaiting], [['a'], true]);
        outbox.change({ type: 'go-on' });
        await tick();
        assert.deepEqual([sent, outbox.state.isWaiting], [['a', 'b'], false]);
      });
    }

    it('returns to the user, with its images, when another conversation is shown', async () => {
      const { outbox, sent, end, replace, images, paste } = start();
      await outbox.send('a');
      paste();
      await outbox.send('b');
      await outbox.send('c');
      replace();
      assert.deepEqual([outbox.state, outbox.unsent], [{ queued: [], isWaiting: false }, { text: 'b\nc' }]);
      assert.deepEqual(images(), [shot]);
      await outbox.send('d');
      await end();
      assert.deepEqual(sent, ['a', 'd']);
    });

    it('lets go of images when their run has begun, or they are taken away with their message', async () => {
      const { outbox, end, forgotten, paste } = start({ pasted: [shot] });
      await outbox.send('a');
      assert.deepEqual(forgotten(), [shot]);
      for (const text of ['b', 'c']) {
        paste();
        await outbox.send(text);
      }
      assert.equal(forgotten().length, 1);
      outbox.change({ type: 'remove', id: outbox.state.queued[1]?.id ?? NaN });
      assert.equal(forgotten().length, 2);
      await end();
      assert.equal(forgotten().length, 3);
    });

    it('gives back a message on its way when another conversation is shown', async () => {
      let go = (_: readonly []): void => undefined;
      const { outbox, sent, end, replace } = start({
        attachmentsFor: async (text) => (text === 'b' ? new Promise((done) => (go = done)) : []),
      });
      await outbox.send('a');
      await outbox.send('b');
      await end();
      replace();
      go([]);
      await tick();
      assert.deepEqual([sent, outbox.state.queued, outbox.unsent], [['a'], [], { text: 'b' }]);
    });

    it('keeps waiting when another message joins those that wait for the user', async () => {
      const { outbox, sent, end } = start();
      for (const text of ['a', 'b']) await outbox.send(text);
      await end({ type: 'aborted' });
      for (const text of ['c', 'd']) await outbox.send(text);
      await end();
      assert.deepEqual([sent, outbox.state.isWaiting], [['a', 'c'], true]);
      await outbox.send('e');
      await outbox.send('now', { interrupts: true });
      await end({ type: 'aborted' });
      await end();
      assert.deepEqual([sent, outbox.state.isWaiting], [['a', 'c', 'e', 'now'], true]);
    });

    it('removes messages, and edits them in place', async () => {
      const { outbox, sent, end, texts } = start();
      for (const text of ['a', 'b', 'c', 'd']) await outbox.send(text);
      const [b, c] = outbox.state.queued;
      outbox.change({ type: 'remove', id: b?.id ?? -1 });
      outbox.change({ type: 'hold', id: c?.id ?? -1 });
      await end();
      assert.deepEqual([sent, texts()], [['a'], ['c', 'd']]);
      outbox.change({ type: 'release', id: c?.id ?? -1, text: 'C' });
      await tick();
      await end();
      assert.deepEqual(sent, ['a', 'C', 'd']);
    });

    it('waits if the page in which a message was edited is gone', async () => {
      const { outbox, sent, end } = start();
      await outbox.send('a');
      await outbox.send('b');
      outbox.change({ type: 'hold', id: outbox.state.queued[0]?.id ?? -1 });
      await end();
      outbox.pageOpened();
      await tick();
      assert.deepEqual([sent, outbox.state.isWaiting], [['a'], true]);
      outbox.change({ type: 'go-on' });
      await tick();
      assert.deepEqual(sent, ['a', 'b']);
    });

    it('waits after an interruption that the user has taken back', async () => {
      const { outbox, sent, end } = start();
      for (const text of ['a', 'b']) await outbox.send(text);
      await outbox.send('now', { interrupts: true });
      outbox.change({ type: 'remove', id: outbox.state.queued[0]?.id ?? -1 });
      await end({ type: 'aborted' });
      assert.deepEqual([sent, outbox.state.isWaiting], [['a'], true]);
    });

    it('stops a run that only begins after it was interrupted', async () => {
      let go = (_: readonly []): void => undefined;
      const { outbox, sent, end, stops } = start({
        attachmentsFor: async (text) => (text === 'a' ? new Promise((done) => (go = done)) : []),
      });
      const sending = outbox.send('a');
      await outbox.send('now', { interrupts: true });
      go([]);
      await sending;
      assert.equal(stops(), 2);
      await end({ type: 'aborted' });
      assert.deepEqual(sent, ['a', 'now']);
    });

    it('does not interrupt what is sent after an interruption has come to nothing', async () => {
      let fail = (_: Error): void => undefined;
      const { outbox, stops } = start({
        attachmentsFor: async (text) => (text === 'a' ? new Promise((_, reject) => (fail = reject)) : []),
      });
      const sending = outbox.send('a');
      await tick();
      await outbox.send('now', { interrupts: true });
      fail(new Error('broken'));
      await assert.rejects(sending, /broken/);
      const before = stops();
      await outbox.send('c');
      assert.deepEqual([stops() - before, outbox.state.isWaiting], [0, true]);
    });

    it('stops the run for a message that interrupts it, and sends that at once', async () => {
      const { outbox, sent, end, stops, texts } = start();
      await outbox.send('a');
      await outbox.send('b');
      await outbox.send('now', { interrupts: true });
      assert.deepEqual([stops(), texts()], [1, ['now', 'b']]);
      await end({ type: 'aborted' });
      assert.deepEqual([sent, texts(), outbox.state.isWaiting], [['a', 'now'], ['b'], false]);
      await end({ type: 'aborted' });
      assert.deepEqual([texts(), outbox.state.isWaiting], [['b'], true]);
    });

    it('keeps a message that could not be sent, and waits', async () => {
      const { outbox, errors, end, texts } = start({
        attachmentsFor: (text) => (text === 'b' ? Promise.reject(new Error('broken')) : Promise.resolve([])),
      });
      await outbox.send('a');
      await outbox.send('b');
      await end();
      assert.deepEqual([texts(), outbox.state.isWaiting, errors.length], [['b'], true, 1]);
    });
  });

  describe('another answer', () => {
    it('replaces the message once that is confirmed', async () => {
      const asked: number[] = [];
      const { outbox, sent } = start({
        confirmRewind: async (entry) => {
          asked.push(entry);
          return true;
        },
      });
      await outbox.retry(0);
      assert.deepEqual([asked, sent], [[0], ['back to 0', 'said']]);
    });

    it('changes nothing if the user cancels, or without a message', async () => {
      const { outbox, sent } = start({ confirmRewind: async () => false });
      await outbox.retry(0);
      await outbox.retry(5);
      assert.deepEqual([sent, outbox.unsent], [[], undefined]);
    });

    it('is not queued during a run', async () => {
      const { outbox, sent, texts } = start();
      await outbox.send('a');
      await outbox.retry(0);
      await outbox.send('b', { instead: said });
      assert.deepEqual([sent, texts(), outbox.unsent], [['a'], [], { text: 'b', instead: said }]);
    });
  });
});
