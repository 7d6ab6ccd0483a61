import { deepEqual } from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { AgentEvent } from '../../../src/core/words/events';
import { launchChromium } from '../../hosts/chromium';
import { ChatHarness, type HarnessOptions } from './chat-harness';

export type OpenChat = (events: readonly AgentEvent[], options?: HarnessOptions) => Promise<void>;

/**
 * Opens the chat page for the tests of this suite, with these past events. Most tests share a window and reload the
 * page; a test that needs a different window gets a new one. Fails a test if a page has complained by its end.
 */
export function chatSuite(use: (chat: ChatHarness) => void): OpenChat {
  let browser: Browser;
  let common: ChatHarness;
  let chat: ChatHarness;
  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    common = await ChatHarness.open(browser);
  });
  after(() => browser.close());
  afterEach(async () => {
    deepEqual(chat.complaints, []);
    if (chat !== common) await chat.close();
  });
  return async (events, options) => {
    chat = options ? await ChatHarness.open(browser, options) : common;
    use(chat);
    if (!options) await chat.load();
    await chat.start(events);
  };
}
