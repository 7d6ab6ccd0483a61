import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Bundle } from '../../../src/base/translate-sentence';
import { repository } from '../../hosts/repository';
import { chatThemes } from './chat-themes';
import { distFile } from '../dist';

export type PageName = 'chat' | 'lab';
export type ThemeName = keyof typeof chatThemes;

export interface PageLook {
  readonly theme: ThemeName;
  /** The display language of VS Code. */
  readonly language: string;
  /** Used instead of the built script. */
  readonly script?: string | undefined;
}

interface Content {
  readonly type: string;
  readonly body: string | Buffer;
}

const nonce = 'harness';

/**
 * Serves the built pages on this machine, so that the browser can cache their files and compiled scripts. It ends
 * with the process.
 */
export class PageServer {
  private static started: Promise<PageServer> | undefined;
  private readonly contents = new Map<string, Content>();

  private constructor(private readonly server: Server) {
    server.on('request', ({ url = '' }: { url?: string }, response: ServerResponse) =>
      this.answer(new URL(url, this.origin).pathname, response),
    );
    for (const [address, file] of Object.entries(files()))
      this.contents.set(address, {
        type: typeOf(file),
        body: readFileSync(path.join(repository, file)),
      });
  }

  /** The server of this process. */
  static start(): Promise<PageServer> {
    return (PageServer.started ??= new Promise((resolve) => {
      const server = createServer().unref();
      server.listen(0, '127.0.0.1', () => resolve(new PageServer(server)));
    }));
  }

  get origin(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns the address of a page with these properties. */
  addressOf(name: PageName, { theme, language, script }: PageLook): string {
    const { origin } = this;
    const scriptAddress =
      script === undefined ? `/${name}.js` : this.serve({ type: 'text/javascript', body: script });
    this.contents.set(`/theme-${theme}.js`, { type: 'text/javascript', body: setTheme(theme) });
    const body = html(name, { theme, language, script: scriptAddress, origin });
    return `${origin}${this.serve({ type: 'text/html', body })}`;
  }

  /** At an address made from its content, so that the same file is cached once. */
  private serve(content: Content): string {
    const address = `/${createHash('sha256').update(content.body).digest('hex')}`;
    this.contents.set(address, content);
    return address;
  }

  private answer(address: string, response: ServerResponse): void {
    const content = this.contents.get(address);
    if (!content) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': content.type, 'cache-control': 'max-age=3600' });
    response.end(content.body);
  }
}

function files(): Readonly<Record<string, string>> {
  const scripts = readdirSync(distFile('webview')).filter((file) => file.endsWith('.js'));
  return {
    ...Object.fromEntries(scripts.map((file) => [`/${file}`, `dist/webview/${file}`])),
    ...Object.fromEntries(['shared', 'chat', 'lab'].map((name) => [`/${name}.css`, `media/${name}.css`])),
    '/codicon.css': 'dist/webview/codicon.css',
    '/codicon.ttf': 'dist/webview/codicon.ttf',
  };
}

function typeOf(file: string): string {
  const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };
  return types[path.extname(file)] ?? 'font/ttf';
}

/** Returns our bundle for this display language, as VS Code loads it. */
export function readBundle(language: string): Bundle {
  if (language === 'en') return {};
  const file = path.join(repository, `l10n/bundle.l10n.${language}.json`);
  // SAFETY: the file is in this repository.
  return JSON.parse(readFileSync(file, 'utf8')) as Bundle;
}

interface Html {
  readonly theme: ThemeName;
  readonly language: string;
  /** Address of the page's script. */
  readonly script: string;
  readonly origin: string;
}

/** Returns the page as the host makes it, with the same content security policy. */
function html(name: PageName, { theme, language, script, origin }: Html): string {
  const texts = JSON.stringify(readBundle(language));
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
<script nonce="${nonce}" src="/theme-${theme}.js"></script>
</head>
<body class="${chatThemes[theme].bodyClass}">
<div id="root"></div>
<script type="application/json" id="l10n" nonce="${nonce}">${texts.replaceAll('<', '\\u003c')}</script>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

/**
 * VS Code sets its variables on the root element by script, so that no style policy blocks them, and removes the old
 * ones.
 */
export function setTheme(theme: ThemeName): string {
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
