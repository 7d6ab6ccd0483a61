import { deepEqual, equal, ok } from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/core/words/events';
import { FrameFeed } from '../../../../src/webview/chat/frame-feed';
import { runStart } from '../../../support/agent/chat-events';

/** Frames that come when the test says so, and what a frame is said to take. */
class Frames {
  private asked: (() => void)[] = [];
  private after: (() => void)[] = [];
  now = 0;

  constructor() {
    Object.assign(globalThis, { requestAnimationFrame: (work: () => void) => this.asked.push(work) });
  }

  /** Draws one, which takes so many milliseconds. */
  draw(milliseconds = 5): void {
    for (const work of this.asked.splice(0)) work();
    this.now += milliseconds;
    for (const work of this.after.splice(0)) work();
  }

  readonly later = (work: () => void): void => void this.after.push(work);
}

describe('what a frame draws', () => {
  let frames: Frames;
  let taken: AgentEvent[][];
  const feed = (): FrameFeed =>
    new FrameFeed((events) => taken.push([...events]), { now: () => frames.now, later: frames.later });
  const text = (): string =>
    taken.flat().reduce((all, event) => (event.type === 'text' ? all + event.text : all), '');

  beforeEach(() => {
    frames = new Frames();
    taken = [];
  });
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));

  it('is everything that has arrived, if that is little', () => {
    const own = feed();
    own.add([runStart('go'), { type: 'text', text: 'a' }]);
    own.add([{ type: 'text', text: 'b' }]);
    deepEqual(taken, []);
    frames.draw();
    deepEqual(taken, [[runStart('go'), { type: 'text', text: 'ab' }]]);
  });

  it('is at most what it can draw, and nothing is lost or out of order', () => {
    const own = feed();
    const all = '0123456789😀'.repeat(20_000);
    own.add([{ type: 'text', text: all }, runStart('next')]);
    for (let frame = 0; frame < 200 && !taken.flat().some(({ type }) => type === 'run-start'); frame++)
      frames.draw(15);
    equal(text(), all);
    ok(taken.length > 20, String(taken.length));
    ok(taken.flat().every((event) => event.type !== 'text' || !/^[\uDC00-\uDFFF]/.test(event.text)));
    equal(taken.flat().at(-1)?.type, 'run-start');
  });

  it('is less if frames take long, and more if they do not', () => {
    const own = feed();
    own.add([{ type: 'text', text: 'x'.repeat(500_000) }]);
    const sizes = (): number[] => taken.map(([event]) => (event?.type === 'text' ? event.text.length : 0));
    for (const took of [100, 100, 100, 100, 100, 100]) frames.draw(took);
    const slow = sizes();
    equal(slow.at(-1), 512);
    deepEqual(
      slow,
      [...slow].sort((one, other) => other - one),
    );
    for (let frame = 0; frame < 6; frame++) frames.draw(5);
    ok((sizes().at(-1) ?? 0) > 8_000);
  });

  it('counts the text of sub-agents, too', () => {
    const own = feed();
    own.add([{ type: 'sub-agent', callId: 'c1', event: { type: 'text', text: 'y'.repeat(20_000) } }]);
    frames.draw(15);
    const [[first]] = taken as [[AgentEvent]];
    ok(first.type === 'sub-agent' && first.event.type === 'text' && first.event.text.length < 5_000);
  });

  it('keeps other events in their order', () => {
    const own = feed();
    const seen: string[] = [];
    own.then(() => seen.push(`at once, ${taken.length}`));
    own.add([{ type: 'text', text: 'a' }]);
    own.then(() => seen.push(`after, ${taken.length}`));
    own.add([{ type: 'text', text: 'b' }]);
    deepEqual(seen, ['at once, 0']);
    frames.draw();
    deepEqual(seen, ['at once, 0', 'after, 1']);
    equal(text(), 'ab');
  });

  it('contains nothing that was forgotten', () => {
    const own = feed();
    own.add([{ type: 'text', text: 'a' }]);
    own.clear();
    frames.draw();
    own.add([{ type: 'text', text: 'b' }]);
    frames.draw();
    equal(text(), 'b');
  });
});
