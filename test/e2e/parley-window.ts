import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { restricted, trusted, type Settings } from '../hosts/settings';
import { workbenchRelease, type VsCodeRelease } from '../hosts/vscode-versions';
import { Workbench } from '../hosts/workbench';
import { eventually } from '../support/eventually';
import { pickedIn, pickIn, type PickerName } from '../support/pages/pickers';

export interface ParleyWindowOptions {
  /** Relative path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** A folder to open instead of a new one; the caller removes it. */
  readonly folder?: string;
  /** Merged over `trusted`, unless `isTrusted` is false. */
  readonly settings?: Settings;
  /** `false` opens the folder in Restricted Mode. */
  readonly isTrusted?: boolean;
  /** Also passed to the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the page before it loads anything. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly release?: VsCodeRelease;
  /** Absolute paths of the extensions under development; only Parley by default. */
  readonly extensions?: readonly string[];
  /** Absolute paths of packages to install before VS Code starts. */
  readonly packages?: readonly string[];
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Views to expand first: they are collapsed in a new window. */
  readonly unfolded?: readonly ('Sessions' | 'Tools')[];
}

/** Restricted Mode without the dialog that asks about it. */
const untrusted: Settings = { ...restricted, 'security.workspace.trust.startupPrompt': 'never' };

function newFolder(): string {
  const folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-e2e-'))), 'project');
  mkdirSync(folder);
  return folder;
}

/** A VS Code window with Parley's chat open on a new folder; elements are found by role and name. */
export class ParleyWindow {
  private constructor(
    readonly workbench: Workbench,
    readonly folder: string,
    private readonly isOwnFolder: boolean,
    private chat: Frame,
    private readonly unfolded: readonly ('Sessions' | 'Tools')[],
  ) {}

  static async open({
    files = {},
    settings = {},
    release = workbenchRelease,
    isTrusted = true,
    unfolded = [],
    ...options
  }: ParleyWindowOptions): Promise<ParleyWindow> {
    const folder = options.folder ?? newFolder();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const workbench = await Workbench.open({
      release,
      settings: { ...(isTrusted ? trusted : untrusted), ...settings },
      ...options,
      folder,
    });
    await workbench.page.getByRole('tab', { name: 'Parley' }).first().click();
    for (const view of unfolded) await unfold(workbench.page, view);
    const isOwn = options.folder === undefined;
    const chat = await workbench.webview('[aria-label="Conversation"]');
    return new ParleyWindow(workbench, folder, isOwn, chat, unfolded);
  }

  /** A second window on the same folder; the caller closes it. */
  async another(): Promise<ParleyWindow> {
    const workbench = await this.workbench.another({ width: 1280, height: 1400 });
    await workbench.page.getByRole('tab', { name: 'Parley' }).first().click();
    for (const view of this.unfolded) await unfold(workbench.page, view);
    const chat = await workbench.webview('[aria-label="Conversation"]');
    return new ParleyWindow(workbench, this.folder, false, chat, this.unfolded);
  }

  /** A row of the list of sessions. */
  session(title: string): Locator {
    return this.workbench.page.getByRole('treeitem', { name: new RegExp(`^${title}`) });
  }

  async renameSession(title: string, name: string): Promise<void> {
    const input = this.workbench.page.locator('.quick-input-widget input:visible').first();
    await clickInRow(this.session(title), 'Rename Session', () => input.isVisible());
    await input.fill(name);
    await input.press('Enter');
    await this.session(name).waitFor();
  }

  get log(): Locator {
    return this.chat.getByRole('log', { name: 'Conversation' });
  }

  get page(): Frame {
    return this.chat;
  }

  button(name: string): Locator {
    return this.chat.getByRole('button', { name, exact: true });
  }

  call(tool: string): Locator {
    return this.log.getByRole('group', { name: `Tool call ${tool}` });
  }

  /** Clicks the button in the title of the chat. */
  async newSessionFromTitle(): Promise<void> {
    const { page } = this.workbench;
    const header = page.locator('.pane-header').filter({ hasText: /^Chat/i }).first();
    await header.hover();
    await header.getByRole('button', { name: 'New Session' }).click();
  }

  /** Starts a new session, even during a run, and waits until the old one is gone. */
  async startNew(): Promise<void> {
    const question = 'A run is in progress.';
    const asks = this.workbench.page.getByRole('dialog').filter({ hasText: question });
    await this.workbench.runCommand('Parley: New Session');
    await until(async () => {
      if (await asks.isVisible()) await this.answer(question, 'Stop and Leave');
      return String(await this.log.getByRole('heading', { name: 'You' }).count());
    }, /^0$/);
  }

  /** Sends a message and waits until its run has started. */
  async send(text: string): Promise<void> {
    const before = await this.lastMessage();
    const box = this.chat.getByRole('textbox', { name: 'Message' });
    // While it is busy, VS Code may take the focus at any moment, and the typed text with it.
    const type = async (): Promise<string> => {
      await box.fill(text);
      return String((await box.inputValue()) === text);
    };
    await until(type, /true/);
    await box.press('Enter');
    const state = async (): Promise<string> =>
      (await this.lastMessage()) > before
        ? 'begun'
        : `“${await box.inputValue()}” in the box of ${await this.chat.locator('body').innerText()}`;
    await until(state, /^begun$/, 30_000);
  }

  /** The number of the user's last entry; 0 without one. Older ones may not be drawn. */
  private lastMessage(): Promise<number> {
    const messages = this.log.locator('[aria-posinset]').filter({ has: this.chat.locator('.user-message') });
    return messages.evaluateAll((entries) =>
      Math.max(0, ...entries.map((entry) => Number(entry.getAttribute('aria-posinset')))),
    );
  }

  /** Waits until no run is in progress. */
  async idle(): Promise<void> {
    await this.button('Send').waitFor();
  }

  /** Picks a value below the message box. */
  async pick(picker: PickerName, value: string): Promise<void> {
    await pickIn(this.chat, picker, value);
  }

  /** The value that is picked below the message box. */
  picked(picker: PickerName): Promise<string> {
    return pickedIn(this.chat, picker);
  }

  /** Reloads the whole window. */
  async reload(): Promise<void> {
    await this.workbench.reload();
    // A click on its icon would close the view if VS Code has already reopened it.
    await this.workbench.runCommand('Parley: Open Chat');
    await this.reopenChat();
  }

  /** Moves the chat to the secondary side bar, so that it is visible beside the views of the primary one. */
  async moveToOtherSide(): Promise<void> {
    await this.workbench.runCommand('View: Move View');
    // VS Code's chat may have a view of this name, too.
    for (const name of [/^Chat, .*Parley/, /^New Secondary Side Bar Entry/]) {
      await this.workbench.page.locator('.quick-input-widget').getByRole('option', { name }).click();
    }
    await this.reopenChat();
  }

  /** Finds the chat again after its page was replaced. */
  async reopenChat(): Promise<void> {
    this.chat = await this.workbench.webview('[aria-label="Conversation"]');
  }

  /** A check box or row of the tools tree. */
  tool(name: string): Locator {
    return this.workbench.page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) });
  }

  /**
   * Scrolls to a tool's row of the tree, because rows out of view are not in the page. Typing a name goes to its row.
   */
  async showTool(name: string): Promise<void> {
    await this.workbench.page.getByRole('tree', { name: 'Tools' }).focus();
    await this.workbench.page.keyboard.type(name);
    await this.tool(name).waitFor();
  }

  /** Runs a command of the title of the tools view: a button, or an entry of its menu. */
  async chooseInTools(name: string): Promise<void> {
    const { page } = this.workbench;
    const title = page.locator('.pane').filter({ has: viewHeader(page, 'Tools') });
    await viewHeader(page, 'Tools').hover();
    const button = title.getByRole('button', { name, exact: true });
    if (await button.isVisible()) return button.click();
    await title.getByRole('button', { name: /^Views and More Actions/ }).click();
    await this.pickFromMenu(name);
  }

  /** Toggles a tool of the tree by its check box. */
  async switchTool(name: string, to: 'on' | 'off'): Promise<void> {
    const box = (state: string): Locator =>
      this.workbench.page.getByRole('checkbox', { name: `${name} is ${state}`, exact: true });
    await clickUntil(box(to === 'on' ? 'off' : 'on'), () => box(to).isVisible());
  }

  /** Clicks in an open context menu, repeatedly, because VS Code ignores clicks at first. */
  async pickFromMenu(name: string): Promise<void> {
    const item = this.workbench.page.getByRole('menuitem', { name });
    await item.waitFor();
    await until(async () => {
      if (await item.isVisible()) await item.click({ timeout: 1_000 });
      return String(await item.isVisible());
    }, /false/);
  }

  /** Answers the dialog with this text. */
  async answer(text: string, button: string): Promise<void> {
    const dialog = this.workbench.page.getByRole('dialog').filter({ hasText: text });
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Returns the text of a notification. Clears all notifications, so that the next is not taken for this one. */
  async notified(says: RegExp): Promise<string> {
    // Toasts fade, and a window under test shows none.
    const list = this.workbench.page.locator('.notifications-center');
    const text = await until(async () => {
      if (!(await list.isVisible())) await this.workbench.runCommand('Notifications: Show Notifications');
      const shown = await list.innerText({ timeout: 1_000 });
      // For a moment, cleared rows are still below a title that says that there are none.
      return /^no new notifications/i.test(shown) ? '' : shown;
    }, says);
    await this.workbench.runCommand('Notifications: Clear All Notifications');
    await list.locator('.notification-list-item').first().waitFor({ state: 'hidden' });
    return text;
  }

  /** Returns the text of the output channel that a command shows. */
  async output(command: string, wanted: RegExp): Promise<string> {
    await this.workbench.runCommand(command);
    const lines = this.workbench.page.locator('.part.panel .view-lines');
    return until(async () => (await lines.first().innerText()).replaceAll('\u00a0', ' '), wanted);
  }

  /** Retries until they appear: VS Code registers walkthroughs some moments after its start. */
  async openFirstSteps(): Promise<void> {
    const page = this.workbench.page.locator('.gettingStartedContainer');
    const open = async (): Promise<string> => {
      await this.workbench.runCommand('Parley: Get Started');
      return page.innerText();
    };
    await until(open, /Get Started with Parley/, 60_000);
  }

  read(file: string): Promise<string> {
    return readFile(path.join(this.folder, file), 'utf8');
  }

  async close(): Promise<void> {
    await this.workbench.close();
    if (this.isOwnFolder)
      await rm(path.dirname(this.folder), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The header of a view below the chat: `12 sessions`, `Tools · 21 of 22 on · 3.3k tokens`. */
export function viewHeader(page: Page, view: 'Sessions' | 'Tools'): Locator {
  const name = view === 'Sessions' ? /^(\d+ )?sessions? Section$/i : /^Tools\b.* Section$/;
  return page.getByRole('button', { name });
}

/** Expands a view below the chat, and gives it and the chat half of the side bar each. */
async function unfold(page: Page, view: 'Sessions' | 'Tools'): Promise<void> {
  const header = viewHeader(page, view);
  await clickUntil(header, async () => (await header.getAttribute('aria-expanded')) === 'true');
  const bar = await page.locator('.part.sidebar').boundingBox();
  const border = await viewHeader(page, 'Sessions').boundingBox();
  if (!bar || !border) throw new Error('The window has no side bar.');
  await page.mouse.move(bar.x + bar.width / 2, border.y);
  await page.mouse.down();
  await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2, { steps: 5 });
  await page.mouse.up();
}

/** Clicks until it shows: a row that is redrawn at the same moment ignores the click. */
export function clickUntil(target: Locator, shows: () => Promise<boolean>): Promise<void> {
  return doUntil(() => target.click({ timeout: 2_000 }), shows);
}

/** Clicks a button that a row shows on hover, until it has an effect: the row may move away from the pointer. */
export function clickInRow(row: Locator, button: string, shows: () => Promise<boolean>): Promise<void> {
  return doUntil(async () => {
    await row.hover({ timeout: 2_000 });
    await row.getByRole('button', { name: button }).click({ timeout: 2_000 });
  }, shows);
}

async function doUntil(act: () => Promise<void>, shows: () => Promise<boolean>): Promise<void> {
  await until(
    async () => {
      if (!(await shows())) await act();
      return until(async () => String(await shows()), /true/, 5_000);
    },
    /^true$/,
    60_000,
  );
}

/** Asks until the answer matches; fails with the last answer. */
export function until(ask: () => Promise<string>, wanted: RegExp, timeout = 30_000): Promise<string> {
  return eventually(async () => {
    const answer = await ask().catch((error: unknown) => String(error));
    if (!wanted.test(answer)) throw new Error(`Waited for ${wanted}, last saw: ${answer}`);
    return answer;
  }, timeout);
}
