import assert from 'node:assert/strict';
import { inTurn } from '../../../../../src/host/services/mcp/input-turns';

describe('questions in the name of servers', () => {
  const never = new AbortController().signal;

  it('wait for each other', async () => {
    const asked: string[] = [];
    let answer = (_text: string): void => undefined;
    const first = inTurn(() => new Promise<string>((resolve) => (answer = resolve)), '', never);
    const second = inTurn(
      async () => {
        asked.push('second');
        return 'b';
      },
      '',
      never,
    );
    await new Promise(setImmediate);
    assert.deepEqual(asked, []);
    answer('a');
    assert.deepEqual([await first, await second], ['a', 'b']);
  });

  it('are never asked if the signal comes first, and block no other question', async () => {
    let answer = (_text: string): void => undefined;
    const open = inTurn(() => new Promise<string>((resolve) => (answer = resolve)), '', never);
    const stop = new AbortController();
    const unasked = inTurn(() => Promise.reject(new Error('asked')), 'cancelled', stop.signal);
    stop.abort();
    assert.equal(await unasked, 'cancelled');
    answer('a');
    assert.equal(await open, 'a');
    assert.equal(await inTurn(async () => 'next', '', never), 'next');
    assert.equal(await inTurn(() => Promise.reject(new Error('asked')), 'no', AbortSignal.abort()), 'no');
  });

  it('end by themselves once they are open', async () => {
    const stop = new AbortController();
    const closing = inTurn(
      () =>
        new Promise<string>((resolve) =>
          stop.signal.addEventListener('abort', () => setImmediate(() => resolve('closed'))),
        ),
      'cancelled',
      stop.signal,
    );
    await new Promise(setImmediate);
    stop.abort();
    assert.equal(await closing, 'closed');
  });
});
