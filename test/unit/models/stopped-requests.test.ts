import assert from 'node:assert/strict';
import type { Model, ModelDelta, ModelRequest } from '../../../src/core/words/model';
import { sayingBusy, StoppedRequests } from '../../../src/models/stopped-requests';
import { native } from '../../../src/protocols/native/native';

const request: ModelRequest = native.request({ instructions: '', turns: [], tools: [] });
const URL_A = 'http://127.0.0.1:8080/v1';

describe('a server after a stop', () => {
  let time: number;
  let stopped: StoppedRequests;
  beforeEach(() => {
    time = 0;
    stopped = new StoppedRequests(() => time);
  });

  /** What arrives; the request is stopped when `stopAt` deltas are there. */
  async function ask(deltas: readonly ModelDelta[], stopAt = Infinity, baseUrl = URL_A): Promise<string[]> {
    const stop = new AbortController();
    const model: Model = {
      name: 'm',
      async *stream() {
        yield* deltas;
      },
    };
    const seen: string[] = [];
    if (stopAt === 0) stop.abort();
    for await (const delta of sayingBusy(baseUrl, stopped)(model).stream(request, stop.signal)) {
      seen.push(delta.type === 'progress' ? delta.stage : delta.type);
      if (seen.length >= stopAt) stop.abort();
    }
    return seen;
  }

  const taken: ModelDelta = { type: 'progress', stage: 'taken' };
  const reply: readonly ModelDelta[] = [taken, { type: 'text', text: 'x' }, { type: 'end', reason: 'stop' }];

  it('is said to be busy until it takes the next request', async () => {
    await ask([taken], 1);
    assert.deepEqual(await ask(reply), ['busy', 'taken', 'text', 'end']);
    assert.deepEqual(await ask(reply), ['taken', 'text', 'end']);
  });

  it('is so too if nothing had arrived before the stop', async () => {
    await ask([], 0);
    assert.deepEqual(await ask(reply), ['busy', 'taken', 'text', 'end']);
  });

  it('is not if the reply had ended, no request was stopped, or long afterwards', async () => {
    await ask(reply, 3);
    assert.deepEqual(await ask(reply), ['taken', 'text', 'end']);
    await ask([taken], 1);
    time = 300_000;
    assert.deepEqual(await ask(reply), ['taken', 'text', 'end']);
  });

  it('is another one at another address', async () => {
    await ask([taken], 1);
    assert.deepEqual(await ask(reply, Infinity, 'http://127.0.0.1:8081/v1'), ['taken', 'text', 'end']);
    assert.deepEqual(await ask(reply, Infinity, 'http://127.0.0.1:8080/other'), [
      'busy',
      'taken',
      'text',
      'end',
    ]);
  });
});
