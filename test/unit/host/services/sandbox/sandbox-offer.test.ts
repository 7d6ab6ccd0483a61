import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/disposable';
import type { AgentEvent } from '../../../../../src/core/words/events';
import { SandboxOffer } from '../../../../../src/host/services/sandbox/sandbox-offer';
import type { SettingsStore } from '../../../../../src/host/platform/settings';
import { toolCall } from '../../../../support/agent/chat-events';

function asks(id: string, type: 'command' | 'diff' = 'command'): AgentEvent {
  const call = { ...toolCall('run_shell_command', {}), id };
  return {
    type: 'approval-request',
    request: {
      call,
      effect: 'execute',
      title: '',
      accesses: [],
      preview:
        type === 'command'
          ? { type, command: 'make', cwd: '/ws', commands: [] }
          : { type, path: 'a', before: '', after: '' },
    },
    reason: '',
    grants: [],
  };
}

function inWindow(kept = new Map<string, unknown>(), platform: NodeJS.Platform = 'linux') {
  let enabled = 'off';
  const changes = new Emitter<undefined>();
  const events = new Emitter<AgentEvent>();
  // SAFETY: the offer asks for this one setting.
  const settings = {
    get: () => enabled,
    onChange: (_: unknown, listener: () => void) => changes.event(listener),
  } as unknown as Pick<SettingsStore, 'get' | 'onChange'>;
  const memory = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const offer = new SandboxOffer({ settings, memory, platform });
  offer.follow({ onEvent: events.event });
  const shown: (string | undefined)[] = [];
  offer.onChange(() => shown.push(offer.callId));
  const turn = (value: 'on' | 'off'): void => {
    enabled = value;
    changes.fire(undefined);
  };
  return { offer, shown, turn, happen: (event: AgentEvent) => events.fire(event) };
}

describe('offer of a sandbox', () => {
  it('is made with the first command that asks, and with no other of the window', () => {
    const { shown, happen } = inWindow();
    happen(asks('edit', 'diff'));
    happen(asks('first'));
    happen(asks('second'));
    assert.deepEqual(shown, ['first']);
  });

  it('is made with a command of a sub-agent', () => {
    const { offer, happen } = inWindow();
    happen({ type: 'sub-agent', callId: 'agent', event: asks('inner') });
    assert.equal(offer.callId, 'inner');
  });

  it('is not made again once it was answered, in no window', async () => {
    const kept = new Map<string, unknown>();
    const first = inWindow(kept);
    first.happen(asks('a'));
    await first.offer.close();
    first.happen(asks('b'));
    assert.deepEqual(first.shown, ['a', undefined]);
    const second = inWindow(kept);
    second.happen(asks('c'));
    assert.deepEqual(second.shown, []);
  });

  it('is made again in the next window if it was not answered', () => {
    const kept = new Map<string, unknown>();
    inWindow(kept).happen(asks('a'));
    const next = inWindow(kept);
    next.happen(asks('b'));
    assert.deepEqual(next.shown, ['b']);
  });

  it('goes when the sandbox is switched on', () => {
    const { shown, happen, turn } = inWindow();
    happen(asks('a'));
    turn('on');
    assert.deepEqual(shown, ['a', undefined]);
  });

  it('is not made if no sandbox is possible, or if it is on', () => {
    const elsewhere = inWindow(new Map(), 'darwin');
    elsewhere.happen(asks('a'));
    assert.equal(elsewhere.offer.callId, undefined);
    const on = inWindow();
    on.turn('on');
    on.happen(asks('a'));
    assert.equal(on.offer.callId, undefined);
  });
});
