import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { orAborted, unlessAborted } from '../../../src/base/async';
import { turns } from '../../support/turns';

describe('work that is abandoned after an abort', () => {
  const never = new Promise<string>(() => undefined);
  const why = new Error('The window closes.');

  it('returns its result and leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    assert.equal(await orAborted(Promise.resolve('done'), signal), 'done');
    assert.equal(await unlessAborted(Promise.resolve('done'), signal), 'done');
    await assert.rejects(orAborted(Promise.reject(why), signal), why);
    await assert.rejects(unlessAborted(Promise.reject(why), signal), why);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  for (const [when, aborted] of [
    ['before', (): AbortSignal => AbortSignal.abort(why)],
    [
      'meanwhile',
      (): AbortSignal => {
        const stop = new AbortController();
        setImmediate(() => stop.abort(why));
        return stop.signal;
      },
    ],
  ] as const) {
    it(`is abandoned as soon as the signal aborts: ${when}`, async () => {
      await assert.rejects(orAborted(never, aborted()), why);
      assert.equal(await unlessAborted(never, aborted()), undefined);
    });
  }

  it('says that it was stopped if the signal gives no error', async () => {
    await assert.rejects(orAborted(never, AbortSignal.abort('enough')), /^Error: Stopped\.$/);
  });

  it('may fail later without an unhandled rejection', async () => {
    const stop = new AbortController();
    let fail = (_: Error): void => undefined;
    const late = new Promise<string>((_, reject) => (fail = reject));
    const left = unlessAborted(late, stop.signal);
    stop.abort();
    assert.equal(await left, undefined);
    fail(why);
    // An unhandled one would end this process.
    await turns();
  });
});
