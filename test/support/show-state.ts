import type { Browser } from 'playwright-core';
import { ChatHarness, type HarnessOptions } from './chat-harness';
import { hostMessages, type PageState } from './page-states';

/** Opens the page in one of its states, at rest. The caller closes it. */
export async function showState(
  browser: Browser,
  state: PageState,
  options: HarnessOptions,
): Promise<ChatHarness> {
  const chat = await ChatHarness.open(browser, options);
  await chat.start(state.events);
  for (const message of hostMessages(state)) await chat.send(message);
  if (state.draft !== undefined) {
    await chat.page.getByRole('textbox', { name: 'Message', exact: true }).pressSequentially(state.draft);
  }
  // Buttons of a call that has just come take no click for a moment, and look like it.
  const isAsking = state.events.some(({ type }) => type === 'approval-request');
  await chat.page.waitForTimeout(isAsking ? 700 : 100);
  return chat;
}
