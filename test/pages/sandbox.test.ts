import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import type { SandboxBounds } from '../../src/core/words/tool';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { runWithWaitingCall, toolCall, toolEnd } from '../support/agent/chat-events';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

const run = toolCall('run_shell_command', { command: 'make' });

function waits(sandbox?: SandboxBounds): AgentEvent[] {
  return runWithWaitingCall(run, {
    effect: 'execute',
    preview: {
      type: 'command',
      command: 'make',
      cwd: '/ws',
      commands: [['make']],
      ...(sandbox && { sandbox }),
    },
  });
}

function hasRun(sites: readonly string[]): AgentEvent[] {
  const ended = toolEnd(run, 'success', 'made');
  return [
    ...waits({ sites }).slice(0, -1),
    { type: 'tool-start', callId: run.id, title: 'Run make' },
    ...(ended.type === 'tool-end' ? [{ ...ended, result: { ...ended.result, sandbox: { sites } } }] : []),
  ];
}

describe('the sandbox on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const card = (): Locator => chat.page.getByRole('group', { name: 'Tool call run_shell_command' });
  const offer = (): Locator => card().getByRole('button', { name: 'Set Up Sandbox…' });
  const decline = (): Locator => card().getByRole('button', { name: "Don't show again" });

  it('is shown for a waiting command, with the sites that it may reach', async () => {
    await open(waits({ sites: [] }));
    await card().getByText('Runs in the sandbox: no network, can write only to this folder.').waitFor();
    await chat.start(waits({ sites: ['a.example', '*.b.example'] }));
    await card()
      .getByText('Runs in the sandbox: can reach only a.example, *.b.example, can write only to this folder.')
      .waitFor();
  });

  it('is shown for a finished command: in its line, and in a sentence when expanded', async () => {
    await open(hasRun([]), { width: 640 });
    await card().getByText('in the sandbox', { exact: true }).waitFor();
    await card().locator('summary').click();
    await card().getByText('Ran in the sandbox: no network, can write only to this folder.').waitFor();
    await chat.start(hasRun(['a.example']));
    await card().locator('summary').first().click();
    await card()
      .getByText('Ran in the sandbox: can reach only a.example, can write only to this folder.')
      .waitFor();
  });

  it('is not mentioned if there is none', async () => {
    await open(waits());
    await card().getByRole('button', { name: 'Reject' }).waitFor();
    equal(await card().getByText('sandbox').count(), 0);
  });

  describe('offered', () => {
    const offered = async (): Promise<void> => {
      await open(waits());
      await chat.send({ type: 'sandbox-offer', callId: run.id });
      await offer().waitFor();
    };

    it('is set up by a button that is reachable by keyboard', async () => {
      await offered();
      await offer().focus();
      await chat.page.keyboard.press('Enter');
      deepEqual(await chat.received('sandbox-offer'), { type: 'sandbox-offer', choice: 'set-up' });
      equal(await offer().count(), 0);
      ok(await card().evaluate((element) => element === document.activeElement));
    });

    it('is declined and removed', async () => {
      await offered();
      await decline().click();
      deepEqual(await chat.received('sandbox-offer'), { type: 'sandbox-offer', choice: 'decline' });
      equal(await card().getByText('Commands can run in a sandbox.').count(), 0);
      equal(await card().getByRole('button', { name: 'Run', exact: true }).count(), 1);
    });

    it('is shown at that call only, until the host withdraws it', async () => {
      await offered();
      await chat.send({ type: 'sandbox-offer', callId: 'another' });
      await offer().waitFor({ state: 'detached' });
      await chat.send({ type: 'sandbox-offer', callId: run.id });
      await offer().waitFor();
      await chat.send({ type: 'sandbox-offer' });
      await offer().waitFor({ state: 'detached' });
    });

    it('is usable by keyboard and screen reader', async () => {
      await offered();
      deepEqual(await violationsInAnyTheme(chat), []);
    });
  });
});
