import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { ChatToHost, HostToChat, Pickers } from '../../src/contract/chat';
import type { AgentEvent } from '../../src/core/events';
import { repository } from '../hosts/repository';
import { chatThemes } from './chat-themes';

export type ThemeName = keyof typeof chatThemes;

const origin = 'https://parley.test';
const nonce = 'harness';

/** The built page in a browser, with the test in the place of VS Code and the extension. */
export class ChatHarness {
  private constructor(
    readonly page: Page,
    /** What the page has complained about, and what it tried to load from elsewhere. */
    readonly complaints: readonly string[],
  ) {}

  /** Opens the page in a window of its own. */
  static async open(browser: Browser, options: HarnessOptions = {}): Promise<ChatHarness> {
    const { theme = 'dark', width = 320, height = 700, reducedMotion = 'reduce', script } = options;
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.route('**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const file = files[pathname];
      if (script !== undefined && pathname === '/chat.js')
        return route.fulfill({ contentType: 'text/javascript', body: script });
      if (file) return route.fulfill({ ...file, body: await file.body({ theme }) });
      complaints.push(`asked for ${route.request().url()}`);
      return route.abort();
    });
    await page.addInitScript(playVsCode);
    const harness = new ChatHarness(page, complaints);
    await harness.load();
    return harness;
  }

  /** Loads the page anew; it has said `ready` when this returns. */
  async load(): Promise<void> {
    await this.page.goto(`${origin}/`);
    await this.received('ready');
  }

  /** Loads the page anew, with what the page before has saved, as VS Code does. */
  async reload(): Promise<void> {
    const saved = await this.page.evaluate(() => (window as unknown as { saved: () => unknown }).saved());
    await this.page.goto(`${origin}/?saved=${encodeURIComponent(JSON.stringify(saved ?? null))}`);
    await this.received('ready');
  }

  async send(message: HostToChat): Promise<void> {
    await this.page.evaluate((data) => window.postMessage(JSON.parse(data), '*'), JSON.stringify(message));
  }

  /** Sends the events one by one, each after the page has drawn the one before. */
  async stream(events: readonly AgentEvent[]): Promise<void> {
    await this.page.evaluate(async (data) => {
      // SAFETY: this is what the line below has turned into text.
      for (const event of JSON.parse(data) as readonly unknown[]) {
        window.postMessage({ type: 'events', events: [event] }, '*');
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
    }, JSON.stringify(events));
  }

  /** Starts a conversation in which these events have happened. */
  async start(events: readonly AgentEvent[] = [], pickers: Pickers = samplePickers): Promise<void> {
    await this.send({ type: 'init', events, pickers, ...idle });
  }

  async events(...events: readonly AgentEvent[]): Promise<void> {
    await this.send({ type: 'events', events });
  }

  /** Everything the page has posted so far. */
  async posted(): Promise<readonly ChatToHost[]> {
    // SAFETY: `playVsCode` fills this list with what the page posts, and the page posts the contract's messages.
    return this.page.evaluate(() => (window as unknown as { posted: ChatToHost[] }).posted);
  }

  /** The last message of this kind, once there is one. */
  async received<Type extends ChatToHost['type']>(type: Type): Promise<Extract<ChatToHost, { type: Type }>> {
    const handle = await this.page.waitForFunction(
      (wanted) =>
        (window as unknown as { posted: ChatToHost[] }).posted.findLast((message) => message.type === wanted),
      type,
    );
    // SAFETY: the function above answers only with messages of this type.
    return (await handle.jsonValue()) as Extract<ChatToHost, { type: Type }>;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

export interface HarnessOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** In the place of the script that was built. */
  readonly script?: string;
}

/** Nothing is on its way. */
export const idle = { outbox: { queued: [], isWaiting: false }, images: [] } as const;

export const samplePickers: Pickers = {
  agent: {
    value: 'agent',
    options: [
      { value: 'agent', label: 'Agent', detail: 'All tools that are switched on' },
      { value: 'ask', label: 'Ask', detail: 'Tools that only read' },
    ],
  },
  model: {
    value: 'demo',
    options: [
      {
        value: 'demo',
        label: 'Demo (scripted)',
        detail: 'Answers by a script, without a network',
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

interface ServedFile {
  readonly contentType: string;
  body(options: { readonly theme: ThemeName }): Promise<string | Buffer>;
}

const files: Readonly<Record<string, ServedFile>> = {
  '/': { contentType: 'text/html', body: async ({ theme }) => html(theme) },
  '/theme.js': { contentType: 'text/javascript', body: async ({ theme }) => setTheme(theme) },
  '/chat.css': served('text/css', 'media/chat.css'),
  '/chat.js': served('text/javascript', 'dist/webview/chat.js'),
  '/codicon.css': served('text/css', 'dist/webview/codicon.css'),
  '/codicon.ttf': served('font/ttf', 'dist/webview/codicon.ttf'),
};

function served(contentType: string, file: string): ServedFile {
  return { contentType, body: () => readFile(path.join(repository, file)) };
}

/** The page as the host makes it, with the same content security policy. */
function html(theme: ThemeName): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${origin}; font-src ${origin}; script-src 'nonce-${nonce}'; img-src ${origin} data:; base-uri 'none'; form-action 'none'">
<title>Parley</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/codicon.css">
<link rel="stylesheet" href="/chat.css">
<script nonce="${nonce}" src="/theme.js"></script>
</head>
<body class="${chatThemes[theme].bodyClass}">
<div id="root"></div>
<script nonce="${nonce}" src="/chat.js"></script>
</body>
</html>`;
}

/** VS Code sets its variables on the root element by script, so that no policy on styles stops them. */
function setTheme(theme: ThemeName): string {
  const variables = {
    ...chatThemes[theme].variables,
    '--vscode-font-family': 'system-ui, Ubuntu, "Droid Sans", sans-serif',
    '--vscode-font-size': '13px',
    '--vscode-editor-font-family': '"Droid Sans Mono", "DejaVu Sans Mono", monospace',
  };
  return `for (const [name, value] of Object.entries(${JSON.stringify(variables)})) document.documentElement.style.setProperty(name, value);
document.documentElement.style.background = 'var(--vscode-sideBar-background)';`;
}

/** Runs in the page, before its scripts. */
function playVsCode(): void {
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
