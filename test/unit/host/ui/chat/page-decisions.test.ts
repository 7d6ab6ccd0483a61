import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { CallToHost } from '../../../../../src/contract/calls';
import type { JsonObject } from '../../../../../src/base/json';
import type { WaitingCall } from '../../../../../src/core/transcript/waiting-call';
import { PageDecisions } from '../../../../../src/host/ui/chat/page-decisions';
import { callOf, testSession, testTool } from '../../../../support/agent/test-session';

type Decide = Extract<CallToHost, { type: 'decide' }>;

/** A session whose page sends these messages, one after another or all at once. */
async function play(
  messages: readonly Decide['answer'][],
  options: {
    readonly confirm?: (call: WaitingCall) => Promise<boolean>;
    readonly atOnce?: boolean;
    readonly isPagesOwn?: boolean;
  } = {},
) {
  const ran: string[] = [];
  const asked: (JsonObject | undefined)[] = [];
  const tool = testTool('write', 'write', async (text) => {
    ran.push(text);
    return 'done';
  });
  const test = testSession({ tools: [tool], replies: [[callOf('write', 'as the model wrote')]] });
  const decisions = new PageDecisions({
    isPagesOwn: options.isPagesOwn ?? false,
    confirm: async (call) => {
      asked.push(call.request.edited);
      return (await options.confirm?.(call)) ?? false;
    },
    onError: (error) => assert.fail(String(error)),
  });
  const rest = [...messages];
  let requests = 0;
  let ended: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => (ended = resolve));
  test.session.onEvent((event) => {
    if (event.type !== 'approval-request') return;
    requests += 1;
    const { id } = event.request.call;
    const next = options.atOnce ? rest.splice(0) : rest.splice(0, 1);
    queueMicrotask(() => {
      for (const answer of next) {
        assert.ok(CallToHost.safeParse({ type: 'decide', callId: id, answer }).success);
        decisions.take(test.session, { type: 'decide', callId: id, answer });
      }
      // No more clicks follow, so the user stops the waiting calls.
      if (next.length === 0 || requests > 50) ended();
    });
  });
  const sent = test.session.send('go').then(() => ended());
  await isOver;
  test.session.stop();
  await sent;
  return { ran, asked };
}

const edit = (text: string): Decide['answer'] => ({ type: 'edit', arguments: JSON.stringify({ text }) });
const run: Decide['answer'] = { type: 'run' };

describe('what a page decides', () => {
  it('runs a call as the model wrote it', async () => {
    assert.deepEqual(await play([run]), { ran: ['as the model wrote'], asked: [] });
  });

  it("G18.edited: does not run changed arguments on the page's approval alone", async () => {
    const { ran, asked } = await play([edit('evil'), run]);
    assert.deepEqual(ran, []);
    assert.deepEqual(asked, [{ text: 'evil' }]);
  });

  it('G18.edited: nor with a grant', async () => {
    assert.deepEqual((await play([edit('evil'), { type: 'run', grant: 'edits-in-session' }])).ran, []);
  });

  it('G18.edited: nor if it sends both at once', async () => {
    assert.deepEqual((await play([edit('evil'), run, run], { atOnce: true })).ran, []);
  });

  it('G18.edited: nor after the user has said no, and it says it again', async () => {
    const { ran, asked } = await play([edit('evil'), run, run, run]);
    assert.deepEqual(ran, []);
    assert.equal(asked.length, 3);
  });

  it('G18.edited: runs it when the user has said yes to the host, as it was shown', async () => {
    const { ran, asked } = await play([edit('mine'), run], { confirm: () => Promise.resolve(true) });
    assert.deepEqual(ran, ['mine']);
    assert.deepEqual(asked, [{ text: 'mine' }]);
  });

  it('G18.edited: a confirmation is for what was shown, not for what replaced it', async () => {
    const ran: string[] = [];
    const tool = testTool('write', 'write', async (text) => {
      ran.push(text);
      return 'done';
    });
    const test = testSession({ tools: [tool], replies: [[callOf('write', 'a')]] });
    const shown: JsonObject[] = [];
    const decisions = new PageDecisions({
      isPagesOwn: false,
      confirm: async ({ request }) => {
        if (request.edited) shown.push(request.edited);
        // While the dialog is open the page changes it once more.
        const changed = new Promise<void>((resolve) => {
          const listening = test.session.onEvent(({ type }) => {
            if (type !== 'approval-request') return;
            listening.dispose();
            resolve();
          });
        });
        decisions.take(test.session, { type: 'decide', callId: request.call.id, answer: edit('c') });
        await changed;
        queueMicrotask(() => test.session.stop());
        return true;
      },
      onError: (error) => assert.fail(String(error)),
    });
    const rest = [edit('b'), run];
    test.session.onEvent((event) => {
      const answer = event.type === 'approval-request' ? rest.shift() : undefined;
      if (event.type !== 'approval-request' || !answer) return;
      const { id: callId } = event.request.call;
      queueMicrotask(() => decisions.take(test.session, { type: 'decide', callId, answer }));
    });
    await test.session.send('go');
    assert.deepEqual(shown, [{ text: 'b' }]);
    assert.deepEqual(ran, []);
  });

  it("G18.lab: does not run a call that a page wrote on that page's approval", async () => {
    assert.deepEqual(await play([run], { isPagesOwn: true }), { ran: [], asked: [undefined] });
    const confirmed = await play([run], { isPagesOwn: true, confirm: () => Promise.resolve(true) });
    assert.deepEqual(confirmed.ran, ['as the model wrote']);
  });

  it('rejects without a question, also changed calls', async () => {
    const { ran, asked } = await play([edit('b'), { type: 'reject', reason: 'no' }]);
    assert.deepEqual([ran, asked], [[], []]);
  });

  it('G18.page: whatever a page sends, only what a model wrote or the user has confirmed runs', async () => {
    const answers = fc.oneof(
      fc.constant(run),
      fc.constant<Decide['answer']>({ type: 'run', grant: 'allow-commands' }),
      fc.constantFrom('evil', 'as the model wrote', '').map(edit),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { maxLength: 6 }), fc.boolean(), async (messages, atOnce) => {
        const { ran } = await play(messages, { atOnce });
        assert.deepEqual(ran, messages[0]?.type === 'run' ? ['as the model wrote'] : []);
      }),
      { numRuns: 200 },
    );
  });
});
