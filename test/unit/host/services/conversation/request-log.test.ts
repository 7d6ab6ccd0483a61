import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/disposable';
import type { ModelRequest } from '../../../../../src/core/words/model';
import { RequestLog } from '../../../../../src/host/services/conversation/request-log';

/** A text of that many characters. */
function request(length: number): ModelRequest {
  return {
    messages: [{ role: 'user', content: 'x'.repeat(length - '[]'.length) }],
    origin: { protocol: 'vcp', conversation: { instructions: '', turns: [], tools: [] } },
  };
}

describe('requests that are kept', () => {
  it('are found under the reply that they were for, with the body that was sent', () => {
    const log = new RequestLog();
    const [first, second] = [request(10), request(20)];
    log.add(first, { number: 0 });
    log.add(second, { number: 0, callId: 'c1' });
    // A request may change on its way, but not the messages it was rendered from.
    log.addBody({ model: 'm' }, { ...second, messages: [] });
    assert.deepEqual(log.find({ number: 0 }), { request: first, body: undefined });
    assert.deepEqual(log.find({ number: 0, callId: 'c1' }), { request: second, body: { model: 'm' } });
    assert.equal(log.find({ number: 1 }), undefined);
  });

  it('stay within their size limit: the oldest go first', () => {
    const log = new RequestLog(100);
    for (const number of [0, 1, 2]) log.add(request(40), { number });
    assert.deepEqual(
      [0, 1, 2].map((number) => log.find({ number }) !== undefined),
      [false, true, true],
    );
    const image = { mediaType: 'image/png', data: 'x'.repeat(90) } as const;
    log.add({ ...request(10), messages: [{ role: 'user', content: '', images: [image] }] }, { number: 3 });
    assert.equal(log.find({ number: 2 }), undefined);
    log.add(request(101), { number: 4 });
    assert.equal(log.find({ number: 4 }), undefined);
  });

  it('go with the conversation', () => {
    const replaced = new Emitter<undefined>();
    const log = new RequestLog(100);
    const following = log.follow({ onReplaced: replaced.event });
    log.add(request(80), { number: 0 });
    replaced.fire(undefined);
    assert.equal(log.find({ number: 0 }), undefined);
    log.add(request(80), { number: 0 });
    assert.ok(log.find({ number: 0 }));
    following.dispose();
  });
});
