import { setTimeout as delay } from 'node:timers/promises';
import { errors, type Frame, type Page } from 'playwright-core';
import { developmentFolder } from './development-folder';
import { repository } from './repository';
import { openServerWindow, type ServerWindow, type ServerWindowOptions } from './server-window';
import type { VsCodeServer } from './vscode-server';
import { workbenchUrl } from './workbench-url';

export interface WorkbenchOptions extends ServerWindowOptions {
  readonly folder?: string;
  /** Called with the page before it loads anything. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** A VS Code window in headless Chromium with its server, used through the UI like a person does. */
export class Workbench {
  readonly page: Page;
  readonly server: VsCodeServer;

  private constructor(private readonly window: ServerWindow) {
    this.page = window.page;
    this.server = window.server;
  }

  static async open(options: WorkbenchOptions): Promise<Workbench> {
    const workbench = new Workbench(await openServerWindow(options));
    try {
      const { folder, extensions = [repository] } = options;
      await options.prepare?.(workbench.page);
      const { port, data } = workbench.server;
      const extension = await developmentFolder(extensions, data);
      await workbench.page.goto(workbenchUrl({ port, folder, extension }));
      await workbench.ready();
      return workbench;
    } catch (error) {
      await workbench.close();
      throw error;
    }
  }

  /** Opens a second window on the same server, in a browser context that shares nothing with the first. */
  async another(viewport: { readonly width: number; readonly height: number }): Promise<Workbench> {
    const browser = this.page.context().browser();
    if (!browser) throw new Error('This page belongs to no browser.');
    const page = await browser.newPage({ viewport });
    await page.goto(this.page.url());
    const workbench = new Workbench({ server: this.server, page, close: () => page.close() });
    await workbench.ready();
    return workbench;
  }

  /** Returns the page inside the webview that shows this selector; the selector must match in this webview only. */
  async webview(selector: string, timeout = 30_000): Promise<Frame> {
    const deadline = Date.now() + timeout;
    for (;;) {
      // A webview is an iframe in an iframe, and both are replaced when it is shown again: search until it appears.
      for (const frame of this.page.frames()) {
        if (frame !== this.page.mainFrame() && (await shows(frame, selector))) return frame;
      }
      if (Date.now() > deadline) {
        throw new Error(`No webview showed ${selector} within ${timeout / 1000} seconds.`);
      }
      await delay(50);
    }
  }

  /** Runs the command with this title, including its category, from the command palette. */
  async runCommand(title: string, timeout = 30_000): Promise<void> {
    const palette = this.page.locator('.quick-input-widget');
    const entry = palette.locator('.label-name').filter({ hasText: exactly(title) });
    const deadline = Date.now() + timeout;
    // A pointer that rests over the palette would show a hover, which covers the entries.
    await this.page.mouse.move(0, 0);
    for (;;) {
      await this.page.keyboard.press('F1');
      const isOpen = await inTime(palette.locator('input').first().fill(`>${title}`, { timeout: 2000 }));
      // The open list does not grow: a command that is registered a moment later needs a new list. And anything that
      // takes the focus closes it.
      if (isOpen && (await inTime(entry.waitFor({ timeout: 1000 })))) break;
      if (Date.now() > deadline) throw new Error(`The command palette has no ${title}.`);
      await this.page.keyboard.press('Escape');
    }
    await entry.click();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path });
  }

  async close(): Promise<void> {
    await this.window.close();
  }

  private async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
  }
}

async function shows(frame: Frame, selector: string): Promise<boolean> {
  try {
    return await frame.locator(selector).first().isVisible();
  } catch {
    // The frame went away during the search.
    return false;
  }
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

async function inTime(action: Promise<void>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
