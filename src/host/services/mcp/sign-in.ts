import * as vscode from 'vscode';
import { Authorization, type AuthorizationStore, type OpenAuthorization } from '../../../mcp/authorization';
import { isThisMachine } from '../../../mcp/bounded-fetch';
import type { ConfiguredServer } from '../../../mcp/definition';
import { ServerProblem, type SignIn } from '../../../mcp/ports';
import { noticeText } from '../../../base/text';
import type { Output } from '../../platform/output';
import type { Secrets } from '../../platform/secrets';
import { shownName } from './shown-server';

interface SignInParts {
  readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'extension'>;
  readonly secrets: Pick<Secrets, 'learnSecret'>;
  readonly log: Pick<Output, 'warn'>;
  /** Asks the user and opens the sign-in page; `false` if they decline. */
  readonly openPage?: OpenPage;
}

export type OpenPage = (server: string, page: URL, signal: AbortSignal) => Promise<boolean>;

const PATH = '/mcp/callback';

/**
 * Signs in to MCP servers with the user's browser. The redirect uses an address that VS Code handles, so no port is
 * opened; its content counts only with the state of that one sign-in.
 */
export class SignIns implements vscode.Disposable, vscode.UriHandler {
  /** Open sign-ins, by state. */
  private readonly waiting = new Map<string, (brought: URLSearchParams) => void>();
  /** Actual addresses of this window's servers, by name. */
  private readonly addresses = new Map<string, string>();
  /** Keys of the secret storage with stored tokens, as far as this window has seen. */
  private readonly kept = new Set<string>();
  private handler: vscode.Disposable | undefined;

  constructor(private readonly parts: SignInParts) {}

  signIn(server: ConfiguredServer, url: string): SignIn {
    // The window has one handler, and most windows need none.
    this.handler ??= vscode.window.registerUriHandler(this);
    this.addresses.set(server.name, url);
    const { secrets } = this.parts;
    const { definition } = server;
    const clientId = definition.type === 'http' ? definition.oauth?.clientId : undefined;
    const provider = new Authorization({
      store: this.storeFor(url),
      redirect: () => this.redirect(),
      learn: (secret) => secrets.learnSecret(secret),
      ...(clientId !== undefined && { clientId }),
    });
    const callback = async (signal: AbortSignal): Promise<URLSearchParams> => {
      if (!provider.open)
        throw new ServerProblem(
          vscode.l10n.t('The server requires a sign-in but does not say where. See its log.'),
        );
      return this.visit(server.name, provider.open, signal);
    };
    return { provider, callback };
  }

  /**
   * Deletes the tokens of a server. `written` is its address as far as its definition states it; if that depends on
   * inputs, the address is known only after a start in this window. Returns whether the address is known.
   */
  async signOut(server: string, written?: string): Promise<boolean> {
    const url = written ?? this.addresses.get(server);
    if (url === undefined || !URL.canParse(url)) return false;
    await this.storeFor(url).delete();
    return true;
  }

  /** Whether a started server of this window has a sign-in to delete. */
  isSignedIn(server: string): boolean {
    const url = this.addresses.get(server);
    return url !== undefined && this.kept.has(keyFor(url));
  }

  handleUri(uri: vscode.Uri): void {
    const brought = readQuery(uri.query);
    const state = brought.get('state') ?? '';
    const take = uri.path === PATH ? this.waiting.get(state) : undefined;
    if (take) take(brought);
    // Any page can lead a browser here.
    else this.parts.log.warn('The opened address does not belong to a sign-in in this window.');
  }

  dispose(): void {
    this.handler?.dispose();
    this.waiting.clear();
  }

  private storeFor(url: string): AuthorizationStore {
    const { kept } = this;
    const { secrets } = this.parts.context;
    const key = keyFor(url);
    return {
      get: async () => {
        const text = await secrets.get(key);
        if (text === undefined) kept.delete(key);
        else kept.add(key);
        return text;
      },
      set: async (text) => {
        await secrets.store(key, text);
        kept.add(key);
      },
      delete: async () => {
        await secrets.delete(key);
        kept.delete(key);
      },
    };
  }

  private async redirect(): Promise<string> {
    const { id } = this.parts.context.extension;
    const own = vscode.Uri.parse(`${vscode.env.uriScheme}://${id}${PATH}`);
    // Encoding it again would break the part that names its window.
    return (await vscode.env.asExternalUri(own)).toString(true);
  }

  private async visit(
    server: string,
    { page, state }: OpenAuthorization,
    signal: AbortSignal,
  ): Promise<URLSearchParams> {
    if (!mayBeOpened(page)) {
      const text =
        'The server\'s sign-in page does not use https, so Parley does not open it. Set a key in "headers" instead.';
      throw new ServerProblem(vscode.l10n.t(text));
    }
    const { openPage = askAndOpen } = this.parts;
    const left = new AbortController();
    const stop = AbortSignal.any([signal, left.signal]);
    const back = this.back(state, stop);
    try {
      // Stopping the server does not wait for the answer.
      const isOpen = await Promise.race([openPage(server, page, stop), back.then(() => true)]);
      if (!isOpen) throw notSignedIn();
      return await withProgress(server, back, left);
    } catch (error) {
      throw left.signal.aborted && !signal.aborted ? notSignedIn() : error;
    } finally {
      left.abort();
      this.waiting.delete(state);
    }
  }

  private back(state: string, stop: AbortSignal): Promise<URLSearchParams> {
    const back = new Promise<URLSearchParams>((resolve, reject) => {
      this.waiting.set(state, resolve);
      stop.throwIfAborted();
      stop.addEventListener('abort', () => reject(stop.reason as Error), { once: true });
    });
    // Rejects for those who wait; nothing waits for a page that was never opened.
    back.catch(() => undefined);
    return back;
  }
}

function notSignedIn(): ServerProblem {
  return new ServerProblem(vscode.l10n.t('You did not sign in. Restart the server to be asked again.'));
}

/** Keys are stored per address without query, so that those of one origin never reach another. */
function keyFor(url: string): string {
  const { origin, pathname } = new URL(url);
  return `mcp:${origin}${pathname}`;
}

/** VS Code has decoded the whole URI, so what looks encoded in it is not. */
function readQuery(query: string): URLSearchParams {
  const read = new URLSearchParams();
  for (const part of query.split('&')) {
    const at = part.indexOf('=');
    if (at > 0) read.append(part.slice(0, at), part.slice(at + 1));
  }
  return read;
}

function mayBeOpened(page: URL): boolean {
  return page.protocol === 'https:' || (page.protocol === 'http:' && isThisMachine(page));
}

async function askAndOpen(server: string, page: URL, signal: AbortSignal): Promise<boolean> {
  const open = vscode.l10n.t('Open Browser');
  const question = vscode.l10n.t('Sign in to the MCP server {0}?', noticeText(shownName(server)));
  const detail = vscode.l10n.t(
    'A page of {0} opens in the browser. Continue only if you trust it.',
    page.origin,
  );
  const answer = await vscode.window.showInformationMessage(question, { modal: true, detail }, open);
  // The server may have been stopped while the question was open.
  if (answer !== open || signal.aborted) return false;
  // SAFETY: VS Code also accepts a string, and does not change its encoding.
  return vscode.env.openExternal(page.href as unknown as vscode.Uri);
}

function withProgress<T>(server: string, work: Promise<T>, left: AbortController): Thenable<T> {
  const title = vscode.l10n.t(
    'Waiting for you to sign in to {0} in the browser…',
    noticeText(shownName(server)),
  );
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (_progress, token) => {
    token.onCancellationRequested(() => left.abort());
    return work;
  });
}
