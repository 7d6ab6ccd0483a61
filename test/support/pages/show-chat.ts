import type { Browser } from 'playwright-core';
import { sentenceTranslator, type Bundle } from '../../../src/base/translate-sentence';
import type { Picker, Pickers } from '../../../src/contract/chat';
import { ChatHarness, samplePickers, type HarnessOptions } from './chat-harness';
import { readBundle } from './page-server';
import { hostMessages, type PageState } from './chat-states';

/** Opens the page in one of its states, and waits until it is idle. The caller closes it. */
export async function showChat(
  browser: Browser,
  state: PageState,
  options: HarnessOptions,
): Promise<ChatHarness> {
  const chat = await ChatHarness.open(browser, options);
  await chat.start(state.events, pickersIn(readBundle(options.language ?? 'en')));
  for (const message of hostMessages(state)) await chat.send(message);
  if (state.draft !== undefined) await chat.page.locator('textarea.message').pressSequentially(state.draft);
  // Buttons of a call that has just appeared are inactive for a moment, and look like it.
  await chat.passTime();
  return chat;
}

/** Their entries come from the host in the user's language. */
function pickersIn(bundle: Bundle): Pickers {
  const translate = sentenceTranslator(bundle);
  const inLanguage = (text: string): string => bundle[text] ?? translate(text);
  const { agent, model, protocol, mode } = samplePickers;
  const one = ({ value, options }: Picker): Picker => ({
    value,
    options: options.map((option) => ({
      ...option,
      label: inLanguage(option.label),
      ...(option.detail !== undefined && { detail: inLanguage(option.detail) }),
    })),
  });
  return { agent: one(agent), model: one(model), protocol: one(protocol), mode: one(mode) };
}
