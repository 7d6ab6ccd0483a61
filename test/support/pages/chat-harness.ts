import type { Browser } from 'playwright-core';
import type { ChatToHost, HostToChat, Pickers } from '../../../src/contract/chat';
import type { AgentEvent } from '../../../src/core/words/events';
import { openPage, PageHarness, type HarnessOptions } from './page-harness';

export type { HarnessOptions } from './page-harness';

/** The chat page in a browser. */
export class ChatHarness extends PageHarness<ChatToHost, HostToChat> {
  /** Opens the page in a new window. */
  static async open(browser: Browser, options: HarnessOptions = {}): Promise<ChatHarness> {
    const harness = new ChatHarness(await openPage(browser, 'chat', options), 'ready');
    await harness.load();
    return harness;
  }

  /** Sends the events one by one, each after the page has drawn the one before. */
  async stream(events: readonly AgentEvent[]): Promise<void> {
    await this.page.evaluate(async (data) => {
      // SAFETY: the line below has serialized it.
      for (const event of JSON.parse(data) as readonly unknown[]) {
        window.postMessage({ type: 'events', events: [event] }, '*');
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
    }, JSON.stringify(events));
    await this.atRest();
  }

  /** Starts a conversation with these events, and waits until the previous one is gone. */
  async start(events: readonly AgentEvent[] = [], pickers: Pickers = samplePickers): Promise<void> {
    await this.send({ type: 'init', events, pickers, ...idle });
  }

  async events(...events: readonly AgentEvent[]): Promise<void> {
    await this.send({ type: 'events', events });
  }
}

/** Nothing is pending. */
export const idle = { outbox: { queued: [], isWaiting: false }, images: [] } as const;

export const samplePickers: Pickers = {
  agent: {
    value: 'agent',
    options: [
      { value: 'agent', label: 'Agent', detail: 'All enabled tools' },
      { value: 'ask', label: 'Ask', detail: 'Read-only tools' },
    ],
  },
  model: {
    value: 'demo',
    options: [
      {
        value: 'demo',
        label: 'Demo (scripted)',
        detail: 'No network, no key',
        isScripted: true,
      },
      { value: 'qwen', label: 'qwen3-coder', detail: 'http://localhost:11434' },
    ],
  },
  protocol: {
    value: 'auto',
    options: [
      { value: 'auto', label: 'Auto' },
      { value: 'native', label: 'Native' },
      { value: 'vcp', label: 'VCP' },
    ],
  },
  mode: {
    value: 'auto',
    options: [
      { value: 'auto', label: 'Auto' },
      { value: 'manual', label: 'Manual' },
    ],
  },
};
