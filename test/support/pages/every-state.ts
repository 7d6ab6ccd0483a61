import type { Browser, Page } from 'playwright-core';
import { labStates, showLab } from './lab-states';
import type { HarnessOptions } from './page-harness';
import type { ThemeName } from './page-server';
import { chatStates } from './chat-states';
import { showChat } from './show-chat';

/** A page in one of its states. */
export interface ShownPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** The messages to the page, as JSON. */
  readonly sent: readonly string[];
  setTheme(theme: ThemeName): Promise<void>;
  close(): Promise<void>;
}

export interface State {
  readonly name: string;
  show(browser: Browser, options: HarnessOptions): Promise<ShownPage>;
}

/** All pages in all their states. */
export const everyState: readonly State[] = [
  ...chatStates.map((state) => ({
    name: state.name,
    show: (browser: Browser, options: HarnessOptions) => showChat(browser, state, options),
  })),
  ...labStates.map((state) => ({
    name: state.name,
    show: (browser: Browser, options: HarnessOptions) => showLab(browser, state, options),
  })),
];
