import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/core/words/events';
import { prepareRun } from '../../../src/agent/prepare-run';
import { defaultBudget } from '../../../src/cli/built-in';
import type { ModelProfile } from '../../../src/models/profiles';
import { testConfig, testSession, testTool } from '../../support/agent/test-session';
import { modelAccess } from '../../support/servers/model-access';
import {
  StrictServer,
  type Imitation,
  type StrictAnswer,
  type StrictRequest,
} from '../../support/servers/strict-api';
import { StrictChat } from '../../support/servers/strict-chat';
import { StrictMessages } from '../../support/servers/strict-messages';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);

/** Answers as another imitation does, until it is switched off. */
class Switched implements Imitation {
  isOff = false;
  readonly api = 'messages';
  private readonly inner = new StrictMessages();

  answer(request: StrictRequest): StrictAnswer {
    // Not repeated: the gateway in front of it gave up, while it may still work on the request.
    return this.isOff
      ? { status: 504, json: { error: { message: 'upstream gone' } } }
      : this.inner.answer(request);
  }
}

describe('a second model', () => {
  it('goes on where the first stops, and the next message is for the first again', async () => {
    const first = new Switched();
    const [one, two] = [await StrictServer.start(first), await StrictServer.start(new StrictChat())];
    const profiles: readonly ModelProfile[] = [
      {
        id: 'first',
        provider: 'openai',
        baseUrl: one.baseUrl,
        model: 'large',
        api: 'messages',
        effort: 'low',
      },
      { id: 'second', provider: 'openai', baseUrl: two.baseUrl, model: 'small', protocol: 'native' },
    ];
    const keys = ['key-one', 'key-two'];
    const access = profiles.map((_, at) =>
      modelAccess({ credentials: () => ({ apiKey: async () => keys[at] }) }),
    );
    let past: readonly AgentEvent[] = [];
    const say = async (): Promise<readonly AgentEvent[]> => {
      const setup = await prepareRun({
        ...{
          profile: profiles[0]!,
          access: access[0]!,
          countTokens: (text) => text.length / 4,
          protocol: 'native',
        },
        fallbacks: [{ profile: profiles[1]!, access: access[1]! }],
        facts: { roots: ['w'], platform: 'linux', instructions: '' },
        tools: {
          offer: { offered: () => [echo], whyUnavailable: () => undefined },
          config: () => testConfig,
        },
        budget: () => defaultBudget,
      });
      const { session, errors } = testSession({ past, setup });
      const before = past.length;
      await session.send('Go.');
      assert.deepEqual(errors, []);
      past = session.events;
      return past.slice(before);
    };
    const models = (events: readonly AgentEvent[]): readonly string[] =>
      events.flatMap((event) => (event.type === 'round-start' ? [event.model ?? ''] : []));

    assert.deepEqual(models(await say()), ['first', 'first']);
    first.isOff = true;
    const moved = await say();
    assert.deepEqual(models(moved), ['first', 'second', 'second']);
    const said = moved.flatMap((event) =>
      event.type === 'warning' && event.diagnostic.code === 'fallback' ? [event.diagnostic.message] : [],
    );
    assert.match(said.join(), /upstream gone.*"second" answers instead/);
    first.isOff = false;
    assert.deepEqual(models(await say()), ['first', 'first']);
    assert.deepEqual(two.refusals, []);
    assert.equal(one.refusals.length, 1);
    const crossed = JSON.stringify(two.requests);
    assert.doesNotMatch(crossed, /key-one|Thought|sealed|signature/);
    await Promise.all([one.stop(), two.stop()]);
  });
});
