import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { fillHeaders } from '../../models/headers';
import { isNear } from '../../models/place';
import { withAddress, withFacts, type ModelProfile } from '../../models/profiles';
import type { FormBook } from '../../models/form/forcing';
import type { ServerFacts } from '../../models/server-facts';
import type { ServerAddress } from '../../models/servers/ask';
import type { Secrets } from '../window/secrets';
import { keptForms, knownForms } from './kept-forms';

/** Milliseconds after which a server is asked again before a run; frequent restarts are rare. */
const LASTING = 600_000;

/**
 * Facts that servers report about their models, refreshed now and then. By address and model, so that profiles of the
 * same model share them.
 */
export class KnownServers implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private readonly said = new Map<string, ServerFacts>();
  /** When each was asked, in monotonic milliseconds; absent if the answer is doubtful. */
  private readonly askedAt = new Map<string, number>();
  private readonly underWay = new Map<string, Promise<void>>();

  readonly onChange = this.changed.event;

  constructor(
    private readonly secrets: Pick<Secrets, 'keyCommand' | 'keyFor' | 'named'>,
    private readonly memory: vscode.Memento,
  ) {}

  /** The profile with all known server facts, unless it overrides them. */
  known(given: ModelProfile): ModelProfile {
    const profile = withAddress(given);
    const place = placeOf(profile);
    if (place === undefined) return profile;
    const known = withFacts(profile, this.said.get(place));
    return { ...known, forms: knownForms(this.memory, known) };
  }

  /** What is known about enforcing the form of a model's replies. */
  forms(profile: ModelProfile): FormBook {
    return keptForms(this.memory, this.known(profile), () => this.changed.fire(undefined));
  }

  /** Whether there is anything to ask now. Remote servers are asked only when the user clicks (`ask`). */
  isUnasked(profile: ModelProfile): boolean {
    const place = placeOf(profile);
    if (place === undefined || !isNear(withAddress(profile).baseUrl ?? '')) return false;
    const facts = this.said.get(place);
    // It may have been restarted with another window.
    if ((this.askedAt.get(place) ?? -Infinity) + LASTING < performance.now()) return true;
    // Facts of an unloaded model are final only once it is loaded.
    return facts === undefined || (facts.window === undefined && facts.isLoaded === false);
  }

  /** Asks the server for its facts, once for concurrent callers. Never rejects. */
  async ask(profile: ModelProfile, signal: AbortSignal = new AbortController().signal): Promise<void> {
    const place = placeOf(profile);
    if (place === undefined) return;
    const asking = this.underWay.get(place) ?? this.askNow(profile, place, signal);
    this.underWay.set(place, asking);
    await asking.finally(() => this.underWay.delete(place));
  }

  /** The server has reloaded the model, so cached facts are invalid. */
  async relearn(profile: ModelProfile): Promise<void> {
    const place = placeOf(profile);
    if (place === undefined) return;
    this.said.delete(place);
    await this.ask(profile);
    this.changed.fire(undefined);
  }

  /** A request failed as if the server had been restarted: it is asked again before the next run. */
  doubt(profile: ModelProfile): void {
    const place = placeOf(profile);
    if (place !== undefined) this.askedAt.delete(place);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Makes Ollama load the model, and asks it then. Never rejects. */
  async load(profile: ModelProfile, signal: AbortSignal): Promise<void> {
    const { loadIntoOllama } = await import('./build-model');
    const isLoaded = await loadIntoOllama(await this.address(profile), profile.model ?? '', signal);
    if (isLoaded) await this.ask(profile, signal);
  }

  /** Connection to the server of a profile. Missing secrets are reported by the request itself. */
  async address(profile: ModelProfile): Promise<ServerAddress> {
    const { provider, baseUrl = '', headers = {} } = withAddress(profile);
    const filled = await fillHeaders(headers, (name) => this.secrets.named(name, baseUrl));
    const key = await this.key(profile, baseUrl);
    const { transport: fetch } = await import('./build-model');
    const kind = provider === 'ollama' ? provider : undefined;
    return { baseUrl, key, kind, fetch, ...(filled.type === 'filled' && { headers: filled.headers }) };
  }

  /** As requests use it. A command without output is reported by the request itself. */
  private async key({ apiKeyCommand }: ModelProfile, baseUrl: string): Promise<string | undefined> {
    if (apiKeyCommand === undefined) return this.secrets.keyFor(baseUrl);
    const key = await this.secrets.keyCommand(apiKeyCommand, baseUrl).key(new AbortController().signal);
    return typeof key === 'string' ? key : undefined;
  }

  private async askNow(profile: ModelProfile, place: string, signal: AbortSignal): Promise<void> {
    const { askServer } = await import('./build-model');
    const facts = await askServer(await this.address(profile), profile.model ?? '', signal);
    // A server that did not answer is asked again next time.
    if (!facts) return;
    this.askedAt.set(place, performance.now());
    const isSame = JSON.stringify(this.said.get(place)) === JSON.stringify(facts);
    this.said.set(place, facts);
    if (isSame) return;
    this.changed.fire(undefined);
  }
}

/** Cache key of facts; nothing for a profile without a server. */
function placeOf(profile: ModelProfile): string | undefined {
  const { provider, baseUrl, model = '' } = withAddress(profile);
  const hasServer = provider !== 'demo' && provider !== 'vscode';
  return hasServer && baseUrl !== undefined && URL.canParse(baseUrl) ? `${baseUrl} ${model}` : undefined;
}
