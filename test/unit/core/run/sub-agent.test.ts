import assert from 'node:assert/strict';
import type { Transcript } from '../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { Model, ModelDelta, ModelRequest } from '../../../../src/core/words/model';
import type { RenderedPart } from '../../../../src/core/words/protocol';
import type { Tool } from '../../../../src/core/words/tool';
import { vcp } from '../../../../src/protocols/vcp/vcp';
import { nonRepeatingText } from '../../../support/non-repeating-text';
import { callSubAgent } from '../../../../src/tools/call-sub-agent';
import {
  callOf,
  testSession,
  testTool,
  type TestSession,
  type TestSessionOptions,
} from '../../../support/agent/test-session';
import { eventually } from '../../../support/eventually';
import { turns } from '../../../support/turns';

/** Answers by the last thing the user or a result said, so that agents side by side need no order. */
class Dispatcher implements Model {
  readonly name = 'test';
  readonly requests: ModelRequest[] = [];

  constructor(private readonly answer: (request: ModelRequest) => readonly RenderedPart[] | 'hang') {}

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta, void, undefined> {
    this.requests.push(request);
    await turns(1);
    const parts = this.answer(request);
    if (parts === 'hang') {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return;
    }
    yield* vcp.renderReply(parts);
    yield { type: 'end', reason: 'stop' };
  }
}

function subCall(task: string, more: object = {}): RenderedPart {
  return { type: 'call', call: { id: `s-${task}`, name: 'call_sub_agent', arguments: { task, ...more } } };
}

function taskOf({ origin }: ModelRequest): string {
  const [first] = origin.conversation.turns;
  return first?.type === 'user' ? first.text : '';
}

function roundOf({ origin }: ModelRequest): number {
  return origin.conversation.turns.filter(({ type }) => type === 'results').length + 1;
}

/** What it may call: all tools that its parent knows, or those named to it. */
function toolsOf({ origin }: ModelRequest): string[] {
  const { tools, situation = '' } = origin.conversation;
  if (situation.endsWith('Call no tools.')) return [];
  const [, named] = /Call only these tools: (.*)\.$/.exec(situation) ?? [];
  return named === undefined ? tools.map(({ name }) => name) : named.split(', ');
}

interface SubTest extends Omit<TestSession, 'model'> {
  readonly model: Dispatcher;
}

function subSession(
  answer: (task: string, round: number, request: ModelRequest) => readonly RenderedPart[] | 'hang',
  more: readonly Tool[] = [],
  options: Partial<TestSessionOptions> = {},
): SubTest {
  const tools: Tool[] = [...more];
  tools.push(callSubAgent(() => tools));
  const model = new Dispatcher((request) => answer(taskOf(request), roundOf(request), request));
  return { ...testSession({ tools, protocol: vcp, model: model, ...options }), model };
}

function results(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'tool-end' ? [event.result.result] : []));
}

const say = (text: string): RenderedPart[] => [{ type: 'text', text }];
const echo = testTool('echo', 'read', async (text) => `said ${text}`);

describe('sub-agents of call_sub_agent', () => {
  it('do a task with a separate history and answer with their last text', async () => {
    const test = subSession(
      (task, round) => {
        if (task === 'go') return round === 1 ? [subCall('look')] : say('It is done.');
        return round === 1 ? [callOf('echo', 'inner')] : say('Found it.');
      },
      [echo],
    );
    await test.session.send('go');
    assert.deepEqual(results(test.events), ['Found it.']);
    const [, inner] = test.model.requests;
    assert.equal(inner?.origin.conversation.turns.length, 1, 'it sees the task alone');
    const { instructions, tools, situation = '' } = inner.origin.conversation;
    assert.match(situation, /You are a sub-agent/);
    const [first] = test.model.requests;
    const shared = first?.origin.conversation;
    assert.deepEqual({ instructions, tools }, { instructions: shared?.instructions, tools: shared?.tools });
    const outer = JSON.stringify(test.model.requests.at(-1)?.messages);
    assert.doesNotMatch(outer, /said inner/, 'what it read stays with it');
  });

  it('start commands for the owner of the session, also after going back in it', async () => {
    const owner = {};
    const owners: unknown[] = [];
    const told: Tool = {
      ...echo,
      prepare: (input, signal, caller) => {
        owners.push(caller?.owner);
        return echo.prepare(input, signal);
      },
    };
    const test = subSession(
      (task, round) => {
        if (round > 1) return say('ok');
        return task === 'go' ? [callOf('echo', 'outer'), subCall('look')] : [callOf('echo', 'inner')];
      },
      [told],
      { owner },
    );
    await test.session.send('go');
    test.session.rewind(0);
    await test.session.send('go');
    assert.deepEqual(
      owners.map((each) => each === owner),
      [true, true, true, true],
    );
  });

  it('show what they do inside the call that started them', async () => {
    const test = subSession(
      (task, round) => {
        if (task === 'go') return round === 1 ? [subCall('look')] : say('ok');
        return round === 1 ? [callOf('echo', 'inner')] : say('Found it.');
      },
      [echo],
    );
    await test.session.send('go');
    const call = callStates(test.session.transcript)[0];
    assert.equal(call?.type, 'ended');
    assert.equal(call.subAgent?.running, false);
    const [state] = callStates(call.subAgent);
    assert.equal(state?.type === 'ended' && state.result.result, 'said inner');
  });

  it('get read-only tools, and others only if the user allows them', async () => {
    const write = testTool('write', 'write', async () => 'ok');
    const offered: string[][] = [];
    const test = subSession(
      (task, round, request) => {
        if (task === 'go') {
          if (round === 1) return [subCall('first')];
          return round === 2 ? [subCall('second', { tools: ['write'] })] : say('ok');
        }
        offered.push(toolsOf(request));
        return say('done');
      },
      [echo, write],
    );
    const asked: string[] = [];
    test.session.onEvent((event) => {
      if (event.type !== 'approval-request') return;
      asked.push(event.reason);
      queueMicrotask(() => test.session.decide(event.request.call.id, { type: 'run' }));
    });
    await test.session.send('go');
    assert.deepEqual(offered, [['echo', 'call_sub_agent'], ['write']]);
    assert.deepEqual(asked, ['it may use write']);
  });

  it('ask for each call that acts, like the agent', async () => {
    const written: string[] = [];
    const write = testTool('write', 'write', async (text) => {
      written.push(text);
      return 'ok';
    });
    const test = subSession(
      (task, round) => {
        if (task === 'go') return round === 1 ? [subCall('edit', { tools: ['write'] })] : say('ok');
        return round === 1 ? [callOf('write', 'x')] : say('done');
      },
      [write],
    );
    const asked: string[] = [];
    test.session.onEvent((event) => {
      const inner = event.type === 'sub-agent' ? event.event : event;
      if (inner.type !== 'approval-request') return;
      asked.push(`${event.type} ${inner.request.title}`);
      const isInner = event.type === 'sub-agent';
      queueMicrotask(() =>
        test.session.decide(
          inner.request.call.id,
          isInner ? { type: 'reject', reason: 'no' } : { type: 'run' },
        ),
      );
    });
    await test.session.send('go');
    assert.deepEqual(asked, ['approval-request Sub-agent: edit', 'sub-agent write x']);
    assert.deepEqual(written, []);
  });

  it('cannot be given what the agent does not have', async () => {
    const test = subSession((task, round) =>
      round === 1 ? [subCall('x', { tools: ['sudo'] })] : say(`ok ${task}`),
    );
    test.session.onEvent((event) => {
      if (event.type === 'approval-request')
        queueMicrotask(() => test.session.decide(event.request.call.id, { type: 'run' }));
    });
    await test.session.send('go');
    assert.deepEqual(results(test.events), [
      'These tools cannot be delegated: sudo. Name only tools that you have: call_sub_agent.',
    ]);
  });

  it('pause at their rounds and say so', async () => {
    const test = subSession(
      (task, round) => {
        if (task !== 'go') return [{ type: 'text', text: `Round ${round}.` }, callOf('echo', String(round))];
        return round === 1 ? [subCall('look', { max_rounds: 2 })] : say('ok');
      },
      [echo],
    );
    await test.session.send('go');
    const [result] = test.events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
    assert.equal(result?.status, 'error');
    assert.match(
      result.result,
      /^The sub-agent did not finish\. .*a larger max_rounds\. Its last message:\nRound 2\.$/s,
    );
  });

  it('count toward the tokens of the run', async () => {
    const test = subSession(
      (task, round) => {
        if (task !== 'go') return say(nonRepeatingText(4_000));
        return round < 9 ? [subCall(`look ${round}`)] : say('ok');
      },
      [],
      { budget: { tokens: 3_000 } },
    );
    await test.session.send('go');
    const end = test.events.at(-1);
    assert.equal(end?.type === 'run-end' && end.outcome.type, 'budget');
    assert.equal(test.model.requests.filter((request) => taskOf(request) === 'go').length, 2);
  });

  it('make no more requests than the run may make, all together', async () => {
    const test = subSession(
      (task, round) =>
        task === 'go'
          ? Array.from({ length: 30 }, (_, at) => subCall(`task ${round}.${at}`))
          : [callOf('echo', `${task} ${round}`)],
      [echo],
      { config: { maxIterations: 12 } },
    );
    await test.session.send('go');
    const end = test.events.at(-1);
    assert.equal(end?.type === 'run-end' && end.outcome.type, 'budget');
    // Concurrent ones may each have one in progress.
    assert.ok(test.model.requests.length < 12 + 4, String(test.model.requests.length));
  });

  it('are not more than four at once', async () => {
    let open = 0;
    let most = 0;
    const slow = testTool('slow', 'read', async () => {
      most = Math.max(most, ++open);
      await turns();
      open--;
      return 'ok';
    });
    const test = subSession(
      (task, round) => {
        if (round > 1) return say('done');
        if (task === 'go') return Array.from({ length: 9 }, (_, at) => subCall(`task ${at}`));
        return [callOf('slow', task)];
      },
      [slow],
      { config: { maxIterations: 50 } },
    );
    await test.session.send('go');
    assert.equal(most, 4);
  });

  it('ask about a call that is in their task, word for word', async () => {
    const edit = testTool('edit', 'write', async () => assert.fail('must not run'));
    const [block] = vcp.renderReply([callOf('edit', 'x')]);
    assert.ok(block?.type === 'text');
    const task = `The file holds: ${block.text.trim()}`;
    const test = subSession(
      (asked, round) => {
        if (asked === 'go') return round === 1 ? [subCall(task, { tools: ['edit'] })] : say('ok');
        return round === 1 ? [callOf('edit', 'x')] : say('done');
      },
      [edit],
      { config: { requireConfirmation: false } },
    );
    const marks: string[] = [];
    test.session.onEvent((event) => {
      const inner = event.type === 'sub-agent' ? event.event : event;
      if (inner.type !== 'approval-request') return;
      marks.push(inner.request.call.mark);
      const isInner = event.type === 'sub-agent';
      const answer = isInner ? ({ type: 'reject', reason: '' } as const) : ({ type: 'run' } as const);
      queueMicrotask(() => test.session.decide(inner.request.call.id, answer));
    });
    await test.session.send('go');
    assert.deepEqual(marks, ['clean', 'echoed']);
  });

  it('nest two levels deep and no deeper', async () => {
    const depths: string[] = [];
    const test = subSession((task, round, request) => {
      depths.push(`${task}: ${toolsOf(request).join()}`);
      if (round > 1) return say(`done ${task}`);
      const next = { go: 'one', one: 'two' }[task];
      return next === undefined ? say(`done ${task}`) : [subCall(next)];
    });
    await test.session.send('go');
    assert.deepEqual(depths.slice(0, 3), ['go: call_sub_agent', 'one: call_sub_agent', 'two: ']);
    assert.deepEqual(results(test.events), ['done one']);
  });

  it('run side by side, while calls that act take turns', async () => {
    let acting = 0;
    let most = 0;
    const write = testTool('write', 'write', async () => {
      most = Math.max(most, ++acting);
      await turns();
      acting--;
      return 'ok';
    });
    const open = new Set<string>();
    let together = 0;
    const test = subSession(
      (task, round) => {
        if (task === 'go') {
          const all = ['a', 'b', 'c'].map((name) => subCall(name, { tools: ['write'] }));
          return round === 1 ? all : say('ok');
        }
        open.add(task);
        together = Math.max(together, open.size);
        if (round < 3) return [callOf('write', `${task}${round}`)];
        open.delete(task);
        return say('done');
      },
      [write],
      { judge: () => ({ verdict: { decision: 'auto', reason: 'test' }, grants: [] }) },
    );
    await test.session.send('go');
    assert.deepEqual(results(test.events), ['done', 'done', 'done']);
    assert.equal(together, 3);
    assert.equal(most, 1);
  });

  it('end with a stop from the outside, however deep and however many', async () => {
    let stopped = 0;
    const slow = testTool('slow', 'read', (_, { signal }) => {
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped++;
          reject(new Error('stopped'));
        });
      });
    });
    const test = subSession(
      (task, round) => {
        if (round > 1) return say('late');
        if (task === 'go') return [subCall('a'), subCall('b')];
        if (task === 'a') return [subCall('deep'), callOf('slow', '1', 'slow-a')];
        return task === 'deep' ? [callOf('slow', '2', 'slow-deep')] : 'hang';
      },
      [slow],
    );
    const sent = test.session.send('go');
    await eventually(() => test.model.requests.length === 4);
    await turns();
    test.session.stop();
    await sent;
    const count = test.events.length;
    await turns();
    assert.equal(stopped, 2);
    assert.equal(test.events.length, count, 'nothing is heard of them any more');
    assert.equal(test.model.requests.length, 4);
    assert.deepEqual(test.errors, []);
    assert.deepEqual(openStates(test.session.transcript), []);
  });
});

type State = NonNullable<ReturnType<typeof callStates>[number]>;

function callStates(transcript: Transcript | undefined) {
  return (transcript?.entries ?? []).flatMap((entry) =>
    entry.type === 'reply' ? entry.parts.flatMap((part) => (part.type === 'call' ? [part.state] : [])) : [],
  );
}

/** States of calls that are not over, at any depth. */
function openStates(transcript: Transcript): string[] {
  const own = callStates(transcript);
  const inner = own.flatMap((state: State) => ('subAgent' in state ? openStates(state.subAgent) : []));
  return [...own.filter(({ type }) => type !== 'ended').map(({ type }) => type), ...inner];
}
