import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { isNear } from '../../../models/place';
import { modelKey, withAddress, withFacts, type ModelProfile } from '../../../models/profiles';
import type { FactName } from '../../../models/fact-types';
import type { ModelFacts } from '../../../models/model-facts';
import type { ServerAddress } from '../../../models/servers/ask';
import type { Secrets } from '../../platform/secrets';

/** Milliseconds after which a server is asked again before a run; frequent restarts are rare. */
const LASTING = 600_000;

/** Fields of a request that say how much a model thinks, in one API or another. */
const EFFORT_FIELDS: readonly string[] = ['reasoning_effort', 'reasoning', 'output_config', 'think'];

/** What lists of models show. */
const SHOWN: readonly FactName[] = [
  ...(['server', 'forms', 'lostMarkers', 'spoken', 'work', 'quirks', 'requirements'] as const),
];

/** Asks servers for the facts about their models, now and then, and adds what is known of them to profiles. */
export class ModelServers implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private readonly underWay = new Map<string, Promise<void>>();

  readonly onChange = this.changed.event;

  constructor(
    private readonly secrets: Pick<Secrets, 'keyCommand' | 'keyFor' | 'named'>,
    readonly facts: ModelFacts,
  ) {
    this.store.add(
      facts.onChange((name) => {
        if (SHOWN.includes(name)) this.changed.fire(undefined);
      }),
    );
  }

  /** The profile with all known server facts, unless it overrides them. */
  known(given: ModelProfile): ModelProfile {
    const profile = withAddress(given);
    const { server, forms, lostMarkers, spoken, work: jobs } = this.facts.of(profile);
    const spokenProtocol = spoken.read().protocol;
    const work = jobs.read();
    if (!hasServer(profile)) return { ...profile, spokenProtocol, work };
    const lostProtocols = lostMarkers.read().protocols;
    return {
      ...withFacts(profile, server.read().facts),
      ...{ forms: forms.read(), lostProtocols, spokenProtocol, work },
    };
  }

  /** Whether the server says that it takes an effort of thinking, or the profile has one, and it has not refused one. */
  takesEffort(profile: ModelProfile): boolean {
    const { effort, facts: { thinks, effort: takesEffort = thinks } = {} } = profile;
    if (!hasServer(profile) || (effort === undefined && takesEffort !== true)) return false;
    const { fields = [] } = this.facts.of(withAddress(profile)).quirks.read();
    return !fields.some((name) => EFFORT_FIELDS.includes(name));
  }

  /** Whether there is anything to ask now. Remote servers are asked only when the user clicks (`ask`). */
  isUnasked(profile: ModelProfile): boolean {
    if (!hasServer(profile) || !isNear(withAddress(profile).baseUrl ?? '')) return false;
    const { server, probe } = this.facts.of(profile);
    const { facts } = server.read();
    // It may have been restarted with another window.
    if ((probe.read().askedAt ?? -Infinity) + LASTING < performance.now()) return true;
    // Facts of an unloaded model are final only once it is loaded.
    return facts === undefined || (facts.window === undefined && facts.isLoaded === false);
  }

  /** Asks the server for its facts, once for concurrent callers. Never rejects. */
  async ask(profile: ModelProfile, signal: AbortSignal = new AbortController().signal): Promise<void> {
    if (!hasServer(profile)) return;
    const key = modelKey(profile);
    const asking = this.underWay.get(key) ?? this.askNow(profile, signal);
    this.underWay.set(key, asking);
    await asking.finally(() => this.underWay.delete(key));
  }

  /** The server has reloaded the model, so cached facts are invalid. */
  async relearn(profile: ModelProfile): Promise<void> {
    if (!hasServer(profile)) return;
    const { server, probe } = this.facts.of(profile);
    server.write({});
    probe.write({});
    await this.ask(profile);
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Makes Ollama load the model, and asks it then. Never rejects. */
  async load(profile: ModelProfile, signal: AbortSignal): Promise<void> {
    const { loadIntoOllama } = await import('./open-in-window');
    const isLoaded = await loadIntoOllama(await this.address(profile), profile.model ?? '', signal);
    if (isLoaded) await this.ask(profile, signal);
  }

  /** Connection to the server of a profile. */
  async address(profile: ModelProfile): Promise<ServerAddress> {
    const { serverAddress, windowAccess } = await import('./open-in-window');
    const { secrets, facts } = this;
    return serverAddress(profile, windowAccess({ secrets, facts }), new AbortController().signal);
  }

  private async askNow(profile: ModelProfile, signal: AbortSignal): Promise<void> {
    const { askServer } = await import('./open-in-window');
    const facts = await askServer(await this.address(profile), profile.model ?? '', signal);
    // A server that did not answer is asked again next time.
    if (!facts) return;
    const { server, probe } = this.facts.of(profile);
    probe.write({ askedAt: performance.now() });
    server.write({ facts });
  }
}

function hasServer(profile: ModelProfile): boolean {
  const { provider, baseUrl } = withAddress(profile);
  return provider !== 'demo' && provider !== 'vscode' && baseUrl !== undefined && URL.canParse(baseUrl);
}
