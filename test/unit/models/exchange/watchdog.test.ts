import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { TimeoutName, Timeouts } from '../../../../src/models/exchange/timeouts';
import { Watchdog } from '../../../../src/models/exchange/watchdog';

describe('watchdog', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  const pass = (seconds: number): void => mock.timers.tick(seconds * 1000);

  const timeouts: Timeouts = { connect: 30, firstEvent: 120, idle: 90, total: 1_800 };

  const rows: {
    name: string;
    seconds: number;
    why: TimeoutName;
    begin: (dog: Watchdog) => void;
  }[] = [
    { name: 'connecting', seconds: 30, why: 'connect', begin: () => undefined },
    {
      name: 'waiting for the first event',
      seconds: 120,
      why: 'firstEvent',
      begin: (dog) => dog.connected(),
    },
    {
      name: 'waiting for the first event, connected twice',
      seconds: 120,
      why: 'firstEvent',
      begin: (dog) => {
        dog.connected();
        dog.connected();
      },
    },
    { name: 'waiting for the next event', seconds: 90, why: 'idle', begin: (dog) => dog.began() },
  ];
  for (const { name, seconds, why, begin } of rows) {
    it(`G33.silence: gives up after ${seconds} s of ${name}`, () => {
      const dog = new Watchdog(new AbortController().signal, timeouts);
      begin(dog);
      pass(seconds - 1);
      assert.equal(dog.expired, undefined);
      assert.equal(dog.signal.aborted, false);
      pass(1);
      assert.equal(dog.expired, why);
      assert.equal(dog.signal.aborted, true);
    });
  }

  it('counts no further once the request was aborted, also if nobody reads its reply', () => {
    const aborting = new AbortController();
    const dog = new Watchdog(aborting.signal, timeouts);
    aborting.abort();
    pass(10_000);
    assert.equal(dog.expired, undefined);
  });

  it('treats any byte as a sign of life, before and after the first event', () => {
    const dog = new Watchdog(new AbortController().signal, { ...timeouts, total: 0 });
    dog.connected();
    for (let minute = 0; minute < 60; minute++) {
      dog.heard();
      pass(60);
    }
    dog.began();
    for (let minute = 0; minute < 60; minute++) {
      dog.heard();
      pass(60);
    }
    assert.equal(dog.expired, undefined);
    pass(30);
    assert.equal(dog.expired, 'idle');
  });

  it('waits forever if a timeout is 0', () => {
    const dog = new Watchdog(new AbortController().signal, { connect: 0, firstEvent: 0, idle: 0, total: 0 });
    for (const next of ['connected', 'began', 'heard'] as const) {
      pass(100_000);
      dog[next]();
    }
    pass(100_000);
    assert.equal(dog.expired, undefined);
    dog.stop();
  });

  it('G33.total: gives up after 30 minutes of events', () => {
    const dog = new Watchdog(new AbortController().signal, timeouts);
    for (let minute = 0; minute < 30; minute++) {
      assert.equal(dog.expired, undefined);
      dog.began();
      pass(60);
    }
    assert.equal(dog.expired, 'total');
  });

  it('G33.stop: does nothing any more when it was stopped', () => {
    const dog = new Watchdog(new AbortController().signal);
    dog.stop();
    pass(10_000);
    assert.equal(dog.signal.aborted, false);
  });

  it('leaves a reply that is whole after some seconds, whatever arrives, without an expiry', () => {
    const dog = new Watchdog(new AbortController().signal, timeouts);
    dog.began();
    dog.finished(5);
    for (let second = 1; second < 5; second++) {
      pass(1);
      dog.heard();
      // Nothing prolongs it.
      dog.finished(5);
      assert.equal(dog.signal.aborted, false);
    }
    pass(1);
    assert.equal(dog.signal.aborted, true);
    assert.equal(dog.expired, undefined);
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
