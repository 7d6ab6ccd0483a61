import assert from 'node:assert/strict';
import { foldEvents } from '../../../src/core/transcript/fold-events';
import { turnsOf } from '../../../src/core/transcript/history';
import { findReply, type ReplyRef } from '../../../src/core/transcript/references';
import { isReplyEdit } from '../../../src/core/transcript/rewind';
import type { Transcript } from '../../../src/core/transcript/transcript';
import { isEdited } from '../../../src/core/transcript/waiting-call';
import type { AgentEvent } from '../../../src/core/words/events';
import type { ModelDelta } from '../../../src/core/words/model';
import type { Tool } from '../../../src/core/words/tool';
import { protocols } from '../../../src/protocols';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { sessionText } from '../../../src/sessions/session-text';
import { callSubAgent } from '../../../src/tools/call-sub-agent';
import { callOf, testSession, testTool, type TestSession } from '../../support/agent/test-session';
import { refusals } from '../../support/servers/endpoint-rules';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);

/** A reply with that text, and its end. */
function said(text: string): readonly ModelDelta[] {
  return [
    { type: 'text', text },
    { type: 'end', reason: 'stop' },
  ];
}

const WHOLE =
  '<<<[TOOL_REQUEST]>>>\ntool_name:「始」echo「末」,\ntext:「始」hi「末」\n<<<[END_TOOL_REQUEST]>>>';
/** Its end marker is not one. */
const BROKEN = WHOLE.replace('END_TOOL_REQUEST', 'END_TOOL_REQ');

function types({ entries }: Transcript): readonly string[] {
  return entries.map(({ type }) => type);
}

async function broken(): Promise<TestSession> {
  const test = testSession({ protocol: vcp, tools: [echo], replies: [said(BROKEN), said('I give up.')] });
  await test.session.send('go');
  return test;
}

describe('editing a reply', () => {
  it("offers nothing lasting for its calls, and says that they are the user's", async () => {
    const write = testTool('echo', 'write', async (text) => `wrote ${text}`);
    const test = testSession({
      protocol: vcp,
      tools: [write],
      replies: [said(BROKEN), said('I give up.'), said(WHOLE)],
      judge: () => ({
        verdict: { decision: 'ask', reason: 'it changes files' },
        grants: [{ type: 'edits-in-session' }],
      }),
    });
    await test.session.send('go');
    const asked: [boolean, number][] = [];
    test.session.onEvent((event) => {
      if (event.type !== 'approval-request') return;
      const { id } = event.request.call;
      asked.push([isEdited(test.session.transcript, id), event.grants.length]);
      queueMicrotask(() => test.session.decide(id, { type: 'reject', reason: '' }));
    });
    await test.session.replaceReply(1, { protocol: vcp, deltas: said(WHOLE) });
    assert.deepEqual(asked, [
      [true, 0],
      [false, 1],
    ]);
  });

  it('runs its calls instead and continues with their results', async () => {
    const { session, model, events } = await broken();
    assert.equal(await session.replaceReply(1, { protocol: vcp, deltas: said(WHOLE) }), true);
    assert.deepEqual(types(session.transcript), ['user', 'rewind', 'reply', 'reply']);
    const [, , edited] = session.transcript.entries;
    assert.ok(edited?.type === 'reply');
    assert.equal(edited.isEdited, true);
    assert.equal(edited.raw, WHOLE);
    // The edit needs no request: one for each of the two replies before, and one with the results.
    assert.equal(model.requests.length, 3);
    const [, asked, spoken, answered] = model.requests.at(-1)?.messages ?? [];
    assert.equal(asked?.content, 'go');
    assert.match(spoken?.content ?? '', /echo/);
    assert.match(answered?.content ?? '', /said hi[^]*The user edited your reply above/);
    assert.deepEqual(events.at(-1), { type: 'run-end', outcome: { type: 'done' } });
  });

  it('changes nothing if it is stopped before it begins', async () => {
    const { session } = await broken();
    const before = types(session.transcript);
    const mending = session.replaceReply(1, { protocol: vcp, deltas: said(WHOLE) });
    session.stop();
    await mending;
    assert.deepEqual(types(session.transcript), [...before, 'outcome']);
  });

  it('reads it in the format of any protocol, whichever one the conversation continues with', async () => {
    for (const protocol of protocols) {
      const { session, model } = await broken();
      const deltas = protocol.renderReply([{ type: 'text', text: 'Now: ' }, callOf('echo', 'hi')]);
      const end = { type: 'end', reason: 'stop' } as const;
      await session.replaceReply(1, { protocol, deltas: [...deltas, end] });
      const reply = session.transcript.entries[2];
      assert.equal(reply?.type === 'reply' ? reply.protocol : '', protocol.id);
      const { origin, messages } = model.requests.at(-1) ?? assert.fail();
      assert.equal(origin.protocol, 'vcp');
      assert.match(JSON.stringify(messages), /said hi/, protocol.id);
      assert.deepEqual(refusals(messages), [], protocol.id);
    }
  });

  it('keeps the original reply and its name', async () => {
    const { session } = await broken();
    await session.replaceReply(1, { protocol: vcp, deltas: said(WHOLE) });
    const raws = [0, 1, 2, 3].map((number) => findReply(session.transcript, { number })?.raw);
    assert.deepEqual(raws, [BROKEN, 'I give up.', WHOLE, 'done']);
    const mark = session.transcript.entries[1];
    assert.ok(mark?.type === 'rewind' && isReplyEdit(mark));
    assert.deepEqual(foldEvents(session.events), session.transcript);
    const header = { title: 'T', created: 0, version: 1, id: 'x', workspace: '/w' } as const;
    const text = sessionText({ header, events: session.events });
    assert.match(text, /The next reply was edited[^]*> ### echo: not a complete call[^]*edited by the user/);
  });

  it('asks for approval as for a reply of the model', async () => {
    const change = testTool('change', 'write', async (text) => `changed ${text}`);
    const { session, events } = testSession({
      protocol: vcp,
      tools: [change],
      replies: [said('Hm.')],
    });
    await session.send('go');
    session.onEvent((event) => {
      if (event.type === 'approval-request')
        session.decide(event.request.call.id, { type: 'reject', reason: 'no' });
    });
    await session.replaceReply(1, { protocol: vcp, deltas: said(WHOLE.replace('echo', 'change')) });
    const asked = events.filter(({ type }) => type === 'approval-request');
    assert.equal(asked.length, 1);
    assert.match(JSON.stringify(turnsOf(session.transcript)), /rejected this call and said: no/);
  });

  it('marks a call that is in an earlier result, also if the user wrote it', async () => {
    const leak = testTool('leak', 'read', async () => WHOLE);
    const { session } = testSession({
      protocol: vcp,
      tools: [leak, echo],
      replies: [vcp.renderReply([callOf('leak', 'x')]), said('Hm.')],
    });
    await session.send('go');
    session.onEvent((event) => {
      if (event.type === 'approval-request') session.decide(event.request.call.id, { type: 'run' });
    });
    await session.replaceReply(2, { protocol: vcp, deltas: said(WHOLE) });
    const entry = session.transcript.entries[3];
    const [part] = entry?.type === 'reply' ? entry.parts : [];
    assert.ok(part?.type === 'call' && part.state.type === 'ended');
    assert.equal(part.state.call.mark, 'echoed');
  });

  it('is only for replies, and not during a run', async () => {
    const { session, events } = await broken();
    const given = { protocol: vcp, deltas: said(WHOLE) };
    const before = events.length;
    assert.equal(await session.replaceReply(0, given), false);
    assert.equal(await session.replaceReply(9, given), false);
    assert.equal(events.length, before);
    const running = session.send('more');
    assert.equal(await session.replaceReply(1, given), false);
    await running;
    assert.ok(!events.some(({ type }) => type === 'rewind'));
  });

  it('answers a call that is still incomplete, and continues', async () => {
    const { session, model } = await broken();
    await session.replaceReply(1, { protocol: vcp, deltas: said(`${BROKEN} `) });
    assert.match(JSON.stringify(model.requests.at(-1)?.messages), /was not executed/);
  });
});

describe('requests', () => {
  it('are reported with their reply, also for sub-agents', async () => {
    const told: { readonly reply: ReplyRef; readonly begin: string }[] = [];
    const tools: Tool[] = [echo];
    tools.push(callSubAgent(() => tools));
    const task = {
      type: 'call',
      call: { id: 's', name: 'call_sub_agent', arguments: { task: 'look' } },
    } as const;
    const { session } = testSession({
      tools,
      replies: [[task], [callOf('echo', 'hi')], [{ type: 'text', text: 'found' }]],
      onRequest: ({ messages }, reply) =>
        told.push({
          reply,
          begin: messages
            .slice(0, 2)
            .map(({ content }) => content)
            .join(),
        }),
    });
    await session.send('go');
    assert.deepEqual(
      told.map(({ reply }) => reply),
      [{ number: 0 }, { callId: 's', number: 0 }, { callId: 's', number: 1 }, { number: 1 }],
    );
    assert.match(told[1]?.begin ?? '', /You are a sub-agent/);
    const inner = findReply(session.transcript, { callId: 's', number: 1 });
    assert.deepEqual(inner?.parts, [{ type: 'text', text: 'found' }]);
    assert.equal(findReply(session.transcript, { callId: 'x', number: 0 }), undefined);
  });

  it('do not exist for an edited reply', async () => {
    const told: ReplyRef[] = [];
    const events: AgentEvent[] = [];
    const { session } = testSession({
      protocol: vcp,
      replies: [said('a')],
      onRequest: (_, reply) => told.push(reply),
    });
    session.onEvent((event) => events.push(event));
    await session.send('go');
    await session.replaceReply(1, { protocol: vcp, deltas: said('b') });
    assert.deepEqual(told, [{ number: 0 }]);
    assert.equal(session.transcript.replies, 2);
  });
});
