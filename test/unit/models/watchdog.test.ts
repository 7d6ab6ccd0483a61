import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Watchdog } from '../../../src/models/watchdog';

describe('watchdog', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  const pass = (seconds: number): void => mock.timers.tick(seconds * 1000);

  const rows: { name: string; seconds: number; isNear?: boolean; begin: (dog: Watchdog) => void }[] = [
    { name: 'connecting', seconds: 30, begin: () => undefined },
    { name: 'connecting to this machine', seconds: 120, isNear: true, begin: () => undefined },
    { name: 'waiting for the first event', seconds: 120, begin: (dog) => dog.connected() },
    { name: 'waiting for the next event', seconds: 90, begin: (dog) => dog.heard() },
  ];
  for (const { name, seconds, isNear = false, begin } of rows) {
    it(`G33.silence: gives up after ${seconds} s of ${name}`, () => {
      const dog = new Watchdog(new AbortController().signal, { isNear });
      begin(dog);
      pass(seconds - 1);
      assert.equal(dog.expired, undefined);
      assert.equal(dog.signal.aborted, false);
      pass(1);
      assert.equal(dog.expired, 'silent');
      assert.equal(dog.signal.aborted, true);
    });
  }

  it('G33.total: gives up after 30 minutes of events', () => {
    const dog = new Watchdog(new AbortController().signal);
    for (let minute = 0; minute < 30; minute++) {
      assert.equal(dog.expired, undefined);
      dog.heard();
      pass(60);
    }
    assert.equal(dog.expired, 'endless');
  });

  it('G33.stop: does nothing any more when it was stopped', () => {
    const dog = new Watchdog(new AbortController().signal);
    dog.stop();
    pass(10_000);
    assert.equal(dog.signal.aborted, false);
  });

  it('ends with the signal it was given, and has not expired then', () => {
    const stop = new AbortController();
    const dog = new Watchdog(stop.signal);
    stop.abort();
    assert.equal(dog.signal.aborted, true);
    assert.equal(dog.expired, undefined);
    dog.stop();
  });
});
