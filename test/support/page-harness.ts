import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Bundle } from '../../src/base/translate-sentence';
import { repository } from '../hosts/repository';
import { chatThemes } from './chat-themes';

export type ThemeName = keyof typeof chatThemes;

const origin = 'https://parley.test';
const nonce = 'harness';

export interface HarnessOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** The display language of VS Code: `en`, or one that there is a bundle for. */
  readonly language?: string;
  /** In the place of the script that was built. */
  readonly script?: string;
}

interface Message {
  readonly type: string;
}

/** A built page in a browser, with the test in the place of VS Code and the extension. */
export class PageHarness<Sent extends Message, Received extends Message> {
  protected constructor(
    readonly page: Page,
    /** What the page has complained about, and what it tried to load from elsewhere. */
    readonly complaints: readonly string[],
    /** What the page says when it is there. */
    private readonly greeting: Sent['type'],
  ) {}

  /** Loads the page anew; it has said that it is there when this returns. */
  async load(): Promise<void> {
    await this.page.goto(`${origin}/`);
    await this.received(this.greeting);
  }

  /** Loads the page anew, with what the page before has saved, as VS Code does. */
  async reload(): Promise<void> {
    const saved = await this.page.evaluate(() => (window as unknown as { saved: () => unknown }).saved());
    await this.page.goto(`${origin}/?saved=${encodeURIComponent(JSON.stringify(saved ?? null))}`);
    await this.received(this.greeting);
  }

  /** What the page was sent, as JSON. */
  readonly sent: string[] = [];

  async send(message: Received): Promise<void> {
    const json = JSON.stringify(message);
    this.sent.push(json);
    await this.page.evaluate((data) => window.postMessage(JSON.parse(data), '*'), json);
  }

  /** A text of the page in the language it is shown in. */
  async text(english: string, ...values: readonly (string | number)[]): Promise<string> {
    const bundle = await this.page.evaluate(
      () => JSON.parse(document.getElementById('l10n')?.textContent ?? '{}') as Record<string, string>,
    );
    const text = bundle[english] ?? english;
    return text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));
  }

  /** Everything the page has posted so far. */
  async posted(): Promise<readonly Sent[]> {
    const posted = await this.page.evaluate(() => (window as unknown as { posted: unknown[] }).posted);
    // SAFETY: `playVsCode` fills this list with what the page posts, and the page posts the contract's messages.
    return posted as readonly Sent[];
  }

  /** The last message of this kind, once there is one. */
  async received<Type extends Sent['type']>(type: Type): Promise<Extract<Sent, { type: Type }>> {
    const handle = await this.page.waitForFunction(
      (wanted) =>
        (window as unknown as { posted: { type: string }[] }).posted.findLast(
          (message) => message.type === wanted,
        ),
      type,
    );
    // SAFETY: the function above answers only with messages of this type.
    return (await handle.jsonValue()) as Extract<Sent, { type: Type }>;
  }

  /** Changes the colour theme, as the user may while the page is open. */
  async setTheme(theme: ThemeName): Promise<void> {
    await this.page.evaluate(setTheme(theme));
    await this.page.evaluate((name) => (document.body.className = name), chatThemes[theme].bodyClass);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** A page of that name in a window of its own, not yet loaded, and what it complains about. */
export async function openPage(
  browser: Browser,
  name: 'chat' | 'inspector' | 'lab',
  options: HarnessOptions,
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const { theme = 'dark', language = 'en', reducedMotion = 'reduce', script } = options;
  const { width = 320, height = 700 } = options;
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const files = filesOf(name);
  await page.route('**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = files[pathname];
    if (script !== undefined && pathname === `/${name}.js`)
      return route.fulfill({ contentType: 'text/javascript', body: script });
    if (file) return route.fulfill({ ...file, body: await file.body({ theme, language }) });
    complaints.push(`asked for ${route.request().url()}`);
    return route.abort();
  });
  await page.addInitScript(playVsCode);
  return { page, complaints };
}

/** What VS Code makes of our bundle for this display language. */
export async function readBundle(language: string): Promise<Bundle> {
  if (language === 'en') return {};
  const file = path.join(repository, `l10n/bundle.l10n.${language}.json`);
  // SAFETY: the file is one of our own.
  return JSON.parse(await readFile(file, 'utf8')) as Bundle;
}

interface ServedFile {
  readonly contentType: string;
  body(options: { readonly theme: ThemeName; readonly language: string }): Promise<string | Buffer>;
}

function filesOf(name: string): Readonly<Record<string, ServedFile>> {
  const shared = readdirSync(path.join(repository, 'dist/webview')).filter((file) =>
    /^shared-.*\.js$/.test(file),
  );
  return {
    ...Object.fromEntries(
      shared.map((file) => [`/${file}`, served('text/javascript', `dist/webview/${file}`)]),
    ),
    '/': { contentType: 'text/html', body: ({ theme, language }) => html(name, { theme, language }) },
    '/theme.js': { contentType: 'text/javascript', body: async ({ theme }) => setTheme(theme) },
    '/shared.css': served('text/css', 'media/shared.css'),
    [`/${name}.css`]: served('text/css', `media/${name}.css`),
    [`/${name}.js`]: served('text/javascript', `dist/webview/${name}.js`),
    '/codicon.css': served('text/css', 'dist/webview/codicon.css'),
    '/codicon.ttf': served('font/ttf', 'dist/webview/codicon.ttf'),
  };
}

function served(contentType: string, file: string): ServedFile {
  return { contentType, body: () => readFile(path.join(repository, file)) };
}

/** The page as the host makes it, with the same content security policy. */
async function html(
  name: string,
  { theme, language }: { readonly theme: ThemeName; readonly language: string },
): Promise<string> {
  const texts = JSON.stringify(await readBundle(language));
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${origin} 'nonce-${nonce}'; font-src ${origin}; script-src 'nonce-${nonce}'; img-src ${origin} data:; base-uri 'none'; form-action 'none'">
<title>Parley</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/codicon.css">
<link rel="stylesheet" href="/shared.css">
<link rel="stylesheet" href="/${name}.css">
<script nonce="${nonce}" src="/theme.js"></script>
</head>
<body class="${chatThemes[theme].bodyClass}">
<div id="root"></div>
<script type="application/json" id="l10n" nonce="${nonce}">${texts.replaceAll('<', '\\u003c')}</script>
<script type="module" nonce="${nonce}" src="/${name}.js"></script>
</body>
</html>`;
}

/** VS Code sets its variables on the root element by script, so that no policy on styles stops them, and takes the old ones away. */
function setTheme(theme: ThemeName): string {
  const variables = {
    ...chatThemes[theme].variables,
    '--vscode-font-family': 'system-ui, Ubuntu, "Droid Sans", sans-serif',
    '--vscode-font-size': '13px',
    '--vscode-editor-font-family': '"Droid Sans Mono", "DejaVu Sans Mono", monospace',
  };
  return `for (const name of [...document.documentElement.style]) if (name.startsWith('--vscode-')) document.documentElement.style.removeProperty(name);
for (const [name, value] of Object.entries(${JSON.stringify(variables)})) document.documentElement.style.setProperty(name, value);
document.documentElement.style.background = 'var(--vscode-sideBar-background)';`;
}

/** Runs in the page, before its scripts. */
function playVsCode(): void {
  // Every look of a test into the page counts as a deed of the user for the browser; here keys and clicks alone do.
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
