import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { EventFeed } from '../../../../src/core/transcript/event-feed';
import type { AgentEvent } from '../../../../src/core/words/events';

const text = (piece: string): AgentEvent => ({ type: 'text', text: piece });

/** Returns what is delivered in 80 milliseconds and those that `feedWith` lets pass. */
function deliveries(feedWith: (feed: EventFeed) => void): readonly (readonly AgentEvent[])[] {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const all: (readonly AgentEvent[])[] = [];
    const feed = new EventFeed((events) => all.push(events));
    feedWith(feed);
    mock.timers.tick(80);
    feed.dispose();
    return all;
  } finally {
    mock.timers.reset();
  }
}

describe('EventFeed', () => {
  it('joins events that arrive together into one delivery', () => {
    const all = deliveries((feed) => ['a', 'b', 'c'].forEach((piece) => feed.add(text(piece))));
    assert.deepEqual(all, [[text('abc')]]);
  });

  it('keeps the order of different events', () => {
    const start: AgentEvent = { type: 'round-start', round: 1, maxRounds: 50, protocol: 'vcp', model: 'm' };
    const all = deliveries((feed) => [text('a'), start, text('b')].forEach((event) => feed.add(event)));
    assert.deepEqual(all.flat(), [text('a'), start, text('b')]);
  });

  it('joins the pieces of agents that stream side by side', () => {
    const inner = (callId: string, event: AgentEvent): AgentEvent => ({ type: 'sub-agent', callId, event });
    const all = deliveries((feed) => {
      for (const piece of ['1', '2', '3']) {
        feed.add(inner('a', text(`a${piece}`)));
        feed.add(inner('b', text(`b${piece}`)));
      }
      feed.add(inner('a', { type: 'reply-end', reason: 'stop', raw: 'long' }));
      feed.add(inner('b', text('.')));
    });
    assert.deepEqual(all.flat(), [
      inner('a', text('a1a2a3')),
      inner('b', text('b1b2b3.')),
      inner('a', { type: 'reply-end', reason: 'stop', raw: '' }),
    ]);
  });

  it('sends no raw reply', () => {
    const all = deliveries((feed) => feed.add({ type: 'reply-end', reason: 'stop', raw: 'long' }));
    assert.deepEqual(all.flat(), [{ type: 'reply-end', reason: 'stop', raw: '' }]);
  });

  it('delivers nothing that was cleared or that came before the end', () => {
    const all = deliveries((feed) => {
      feed.add(text('a'));
      feed.clear();
      feed.add(text('b'));
      feed.dispose();
    });
    assert.deepEqual(all, []);
  });

  it('posts little more than the answer itself', () => {
    const answer = 'All work and no play makes a dull answer. '.repeat(5_000);
    const all = deliveries((feed) => {
      for (let at = 0; at < answer.length; at += 16) {
        feed.add(text(answer.slice(at, at + 16)));
        if (at % 4_096 === 0) mock.timers.tick(1);
      }
    });
    const bytes = all.reduce((sum, events) => sum + JSON.stringify({ type: 'events', events }).length, 0);
    assert.ok(bytes < 1.1 * answer.length, `${bytes} bytes for ${answer.length}`);
  });

  it('G18.attachments: gives the page no content of attachments', () => {
    const image = { mediaType: 'image/png', data: 'iVBORw0=' } as const;
    const editor = { type: 'text', source: 'editor', label: 'Editor', text: 'Active file: a.ts' } as const;
    const missing = { type: 'missing', label: 'c', problem: 'There is nothing.' } as const;
    const all = deliveries((feed) =>
      feed.add({
        type: 'run-start',
        text: 'look',
        attachments: [
          { type: 'text', source: 'file', label: 'a.ts', text: 'KEY=1' },
          { type: 'image', label: 'b.png', image },
          editor,
          missing,
        ],
        time: 1,
      }),
    );
    const [start] = all.flat();
    assert.deepEqual(start?.type === 'run-start' && start.attachments, [
      { type: 'text', source: 'file', label: 'a.ts', text: '' },
      { type: 'image', label: 'b.png', image: { ...image, data: '' } },
      editor,
      missing,
    ]);
  });

  it('gives the page no images of results', () => {
    const image = { mediaType: 'image/png', data: 'iVBORw0=' } as const;
    const result = { requestId: 'c1', toolName: 'read_file', status: 'success', result: 'one' } as const;
    const ended = { ...result, durationMs: 1, images: [image] };
    const all = deliveries((feed) => feed.add({ type: 'tool-end', callId: 'c1', result: ended }));
    assert.deepEqual(all.flat(), [
      { type: 'tool-end', callId: 'c1', result: { ...ended, images: [{ ...image, data: '' }] } },
    ]);
  });
});
