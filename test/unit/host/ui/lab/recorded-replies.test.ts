import assert from 'node:assert/strict';
import { foldEvents } from '../../../../../src/core/transcript/fold-events';
import { parseReply } from '../../../../../src/core/reply/parse-reply';
import { recordedReplies, repliedTurns } from '../../../../../src/host/ui/lab/recorded-replies';
import { replyDeltas } from '../../../../../src/models/recorded-reply';
import { findProtocol, protocols } from '../../../../../src/protocols';
import { callOf, testSession, testTool } from '../../../../support/agent/test-session';

describe('recordedReplies', () => {
  const spoken = [{ type: 'text', text: 'Let me look.' } as const, callOf('read', 'a'), callOf('read', 'b')];

  for (const protocol of protocols) {
    it(`can be read again as they were: ${protocol.id}`, async () => {
      const tools = [testTool('read', 'read', async (text) => `content of ${text}`)];
      const { session, events } = testSession({ replies: [spoken], tools, protocol });
      await session.send('Go on.');
      const [first, answer] = recordedReplies(session.transcript);
      assert.ok(first && answer);
      assert.deepEqual([first.protocol, first.calls, answer.calls], [protocol.id, ['read', 'read'], []]);
      const again = parseReply(protocol, replyDeltas(protocol.id, first.reply, 0), {
        tools: tools.map(({ spec }) => spec),
        recover: true,
      });
      const told = events
        .filter(({ type }) => type === 'call-end')
        .map((event) => 'call' in event && event.call);
      assert.deepEqual(
        again.parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
        told,
      );
      const turns = repliedTurns(session.transcript, first.entry) ?? [];
      assert.deepEqual(
        turns.flatMap((turn) => (turn.type === 'results' ? turn.results.map(({ result }) => result) : [])),
        ['content of a', 'content of b'],
      );
    });
  }

  it('keeps that a native reply was cut off', async () => {
    const deltas = [{ type: 'tool-call', index: 0, id: 'x', name: 'read', arguments: '{"te' }] as const;
    const { session, events } = testSession({
      replies: [deltas],
      tools: [testTool('read', 'read', async () => '')],
    });
    await session.send('Go on.');
    const [first] = recordedReplies(foldEvents(events));
    const native = findProtocol('native');
    assert.ok(first && native);
    const { parts } = parseReply(native, replyDeltas('native', first.reply, 0), { recover: true });
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['malformed'],
    );
  });

  it('returns nothing for an entry that is not a reply', () => {
    assert.equal(repliedTurns(foldEvents([]), 0), undefined);
  });
});
