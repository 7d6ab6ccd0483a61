import type { Browser, Page } from 'playwright-core';
import { chatThemes } from './chat-themes';
import { PageServer, setTheme, type PageName, type ThemeName } from './page-server';
import { atRest, passTime, stopTime, watchWork } from './page-work';

export interface HarnessOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** The display language of VS Code: `en`, or one with a bundle. */
  readonly language?: string;
  /** Used instead of the built script. */
  readonly script?: string;
}

interface Message {
  readonly type: string;
}

/**
 * A built page in a browser; the test acts as VS Code and the extension. Every look at an element of the page first
 * waits until it is at rest: it has handled all messages and actions, and drawn their effects.
 */
export class PageHarness<Sent extends Message, Received extends Message> {
  readonly page: Page;
  /** Errors of the page, and its attempts to load external files. */
  readonly complaints: readonly string[];
  private readonly address: string;

  protected constructor(
    opened: OpenPage,
    /** The message of the page when it is ready. */
    private readonly greeting: Sent['type'],
  ) {
    ({ page: this.page, complaints: this.complaints, address: this.address } = opened);
  }

  /** Reloads the page, and waits until it is ready. */
  async load(): Promise<void> {
    await this.page.goto(this.address);
    await this.received(this.greeting);
  }

  /** Reloads the page with its saved state, like VS Code. */
  async reload(): Promise<void> {
    const saved = await this.page.evaluate(() => (window as unknown as { saved: () => unknown }).saved());
    await this.page.goto(`${this.address}?saved=${encodeURIComponent(JSON.stringify(saved ?? null))}`);
    await this.received(this.greeting);
  }

  /** The messages to the page, as JSON. */
  readonly sent: string[] = [];

  /** Sends a message, and waits until the page has handled it and drawn its effects. */
  async send(message: Received): Promise<void> {
    const json = JSON.stringify(message);
    this.sent.push(json);
    await this.page.evaluate(
      (data) =>
        new Promise<void>((resolve) => {
          addEventListener('message', () => resolve(), { once: true });
          window.postMessage(JSON.parse(data), '*');
        }),
      json,
    );
    await this.atRest();
  }

  /** Waits until the page has handled everything so far and drawn its effects. */
  atRest(): Promise<void> {
    return atRest(this.page);
  }

  /** Ends all timers of the page at once, and waits until it is at rest without any. */
  passTime(): Promise<void> {
    return passTime(this.page);
  }

  /** Timers that start from now on, until the page is loaded again, end only in `passTime`. */
  stopTime(): Promise<void> {
    return stopTime(this.page);
  }

  /** Returns a text of the page in its display language. */
  async text(english: string, ...values: readonly (string | number)[]): Promise<string> {
    const bundle = await this.page.evaluate(
      () => JSON.parse(document.getElementById('l10n')?.textContent ?? '{}') as Record<string, string>,
    );
    const text = bundle[english] ?? english;
    return text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));
  }

  /** Returns all messages posted by the page so far. */
  async posted(): Promise<readonly Sent[]> {
    await this.atRest();
    const posted = await this.page.evaluate(() => (window as unknown as { posted: unknown[] }).posted);
    // SAFETY: `playVsCode` fills this list with the messages of the page, which are those of the contract.
    return posted as readonly Sent[];
  }

  /** Waits for a message of this kind, and returns the last one. */
  async received<Type extends Sent['type']>(type: Type): Promise<Extract<Sent, { type: Type }>> {
    await this.atRest();
    const handle = await this.page.waitForFunction(
      (wanted) =>
        (window as unknown as { posted: { type: string }[] }).posted.findLast(
          (message) => message.type === wanted,
        ),
      type,
    );
    // SAFETY: the function above returns only messages of this type.
    return (await handle.jsonValue()) as Extract<Sent, { type: Type }>;
  }

  /** Changes the colour theme, like the user while the page is open. */
  async setTheme(theme: ThemeName): Promise<void> {
    await this.page.evaluate(setTheme(theme));
    await this.page.evaluate((name) => (document.body.className = name), chatThemes[theme].bodyClass);
    await this.atRest();
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

export interface OpenPage {
  readonly page: Page;
  /** Its address. */
  readonly address: string;
  /** Its errors. */
  readonly complaints: readonly string[];
}

/** Creates a new window for the page of that name, not yet loaded. All windows of a browser share its file cache. */
export async function openPage(browser: Browser, name: PageName, options: HarnessOptions): Promise<OpenPage> {
  const { theme = 'dark', language = 'en', reducedMotion = 'reduce', script } = options;
  const { width = 320, height = 700 } = options;
  const server = await PageServer.start();
  const context = browser.contexts()[0] ?? (await browser.newContext());
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ reducedMotion });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== server.origin) complaints.push(`asked for ${request.url()}`);
  });
  await page.addInitScript(playVsCode);
  await watchWork(page);
  return { page, complaints, address: server.addressOf(name, { theme, language, script }) };
}

/** Runs in the page, before its scripts. */
function playVsCode(): void {
  // The browser counts every evaluation of a test as a user activation; here only keys and clicks do.
  let hasBeenActive = false;
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => (hasBeenActive = true), true);
  Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive }) });
  const posted: unknown[] = [];
  let state: unknown = JSON.parse(new URLSearchParams(location.search).get('saved') ?? 'null') ?? undefined;
  Object.assign(window, {
    posted,
    saved: () => state,
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => posted.push(structuredClone(message)),
      getState: () => state,
      setState: (value: unknown) => (state = structuredClone(value)),
    }),
  });
}
