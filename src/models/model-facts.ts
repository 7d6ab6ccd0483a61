import { Emitter, type Disposable } from '../base/disposable';
import type { ModelFailure } from '../core/words/model';
import { earlierFacts } from './earlier-facts';
import {
  HOLDS,
  LEARNED,
  versionOf,
  type Fact,
  type FactName,
  type FactTypes,
  type ReasoningRequirements,
  type StoredFacts,
} from './fact-types';
import { mapDeltas, type Layer } from './layer';
import { modelKey, type ModelProfile } from './profiles';
import { StoppedRequests } from './stopped-requests';

/** Where values are kept over restarts. */
export interface KeyValues {
  get(key: string): unknown;
  /** `undefined` removes it. */
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'parley.modelFacts';

/** Maximum number of models; the most recent ones are kept. */
const MODELS = 50;

type AllStored = Readonly<Record<string, StoredFacts>>;

/** What is known of one model at one address. */
export interface FactsOfModel extends Readonly<{
  [Name in Exclude<FactName, 'requirements'>]: Fact<FactTypes[Name]>;
}> {
  readonly requirements: Fact<ReasoningRequirements>;
}

/**
 * Everything that was found out about models, by provider, address and model, so that profiles of the same model share
 * it. How long each fact holds is in the table `HOLDS`.
 */
export class ModelFacts implements Disposable {
  private readonly changed = new Emitter<FactName>();
  private readonly ofWindow = new Map<string, Partial<FactTypes>>();
  private hasMoved = false;

  readonly onChange = this.changed.event;
  /** What servers may still work on. */
  readonly stopped = new StoppedRequests();

  /** In memory only, if nothing is given. `profiles`: those of the settings, to find what earlier versions stored. */
  constructor(
    private readonly memory: KeyValues = valuesInMemory(),
    private readonly profiles: () => readonly ModelProfile[] = () => [],
  ) {}

  of(profile: ModelProfile): FactsOfModel {
    const key = modelKey(profile);
    const fact = <Name extends FactName>(name: Name): Fact<FactTypes[Name]> => ({
      read: () => this.read(key, name),
      write: (value) => this.write(key, name, value),
    });
    const [requirements, signatures] = [fact('requirements'), fact('signatures')];
    return {
      requirements: {
        read: () => ({ ...requirements.read(), ...signatures.read() }),
        write: ({ refusesSignatures, ...lasting }) => {
          signatures.write(refusesSignatures ? { refusesSignatures } : {});
          requirements.write(lasting);
        },
      },
      signatures,
      quirks: fact('quirks'),
      forms: fact('forms'),
      lostMarkers: fact('lostMarkers'),
      spoken: fact('spoken'),
      context: fact('context'),
      counts: fact('counts'),
      work: fact('work'),
      server: fact('server'),
      probe: fact('probe'),
    };
  }

  /** Of all models. */
  async forget(name: Exclude<keyof StoredFacts, 'version'>): Promise<void> {
    const left = Object.entries(this.stored()).map(([key, { [name]: _, ...others }]) => [key, others]);
    await this.memory.update(KEY, Object.fromEntries(left));
    this.changed.fire(name);
  }

  /** What was learned from the answers of one model, so that it is found out again. */
  async forgetLearned(profile: ModelProfile): Promise<void> {
    const key = modelKey(profile);
    const isKept = ([name]: readonly [string, unknown]): boolean => !LEARNED.includes(name as FactName);
    const ofWindow = Object.entries(this.ofWindow.get(key) ?? {}).filter(isKept);
    this.ofWindow.set(key, Object.fromEntries(ofWindow));
    const { [key]: stored = {}, ...others } = this.stored();
    const left = Object.fromEntries(Object.entries(stored).filter(isKept));
    await this.memory.update(KEY, { ...others, [key]: left });
    for (const name of LEARNED) this.changed.fire(name);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private read<Name extends FactName>(key: string, name: Name): FactTypes[Name] {
    const known: Partial<FactTypes> | undefined =
      HOLDS[name] === 'window' ? this.ofWindow.get(key) : this.holding(key, name);
    return known?.[name] ?? {};
  }

  private write<Name extends FactName>(key: string, name: Name, value: FactTypes[Name]): void {
    if (JSON.stringify(this.read(key, name)) === JSON.stringify(value)) return;
    if (HOLDS[name] === 'window') this.ofWindow.set(key, { ...this.ofWindow.get(key), [name]: value });
    else this.store(key, { ...this.holding(key, name), [name]: value, ...this.versionFor(key, name) });
    this.changed.fire(name);
  }

  private store(key: string, facts: StoredFacts): void {
    const { [key]: _, ...others } = this.stored();
    const recent = Object.entries(others).slice(1 - MODELS);
    void this.memory.update(KEY, Object.fromEntries([...recent, [key, facts]]));
  }

  /** The stored facts; without those of another version of the server, if one of them is wanted. */
  private holding(key: string, name: FactName): StoredFacts | undefined {
    const stored = this.stored()[key];
    const now = this.version(key);
    // A server that has not been asked is taken for the same.
    if (!stored || HOLDS[name] !== 'server-version' || now === undefined || now === stored.version)
      return stored;
    const { version: _, ...facts } = stored;
    const left = Object.entries(facts).filter(([each]) => HOLDS[each as FactName] !== 'server-version');
    return Object.fromEntries(left);
  }

  private versionFor(key: string, name: FactName): Pick<StoredFacts, 'version'> {
    const version = HOLDS[name] === 'server-version' ? this.version(key) : undefined;
    return version === undefined ? {} : { version };
  }

  private version(key: string): string | undefined {
    const { facts } = this.read(key, 'server');
    return facts && versionOf(facts);
  }

  private stored(): AllStored {
    // SAFETY: only this class and `earlierFacts` write it.
    const stored = (this.memory.get(KEY) ?? {}) as AllStored;
    if (this.hasMoved) return stored;
    this.hasMoved = true;
    const { facts, keys } = earlierFacts(this.memory, this.profiles());
    if (keys.length === 0) return stored;
    const all = Object.fromEntries(Object.entries({ ...facts, ...stored }).slice(-MODELS));
    void this.memory.update(KEY, all);
    for (const key of keys) void this.memory.update(key, undefined);
    return all;
  }
}

function valuesInMemory(): KeyValues {
  const values = new Map<string, unknown>();
  return { get: (key) => values.get(key), update: async (key, value) => void values.set(key, value) };
}

/** First responses of a server that was restarted, perhaps with another window. */
const AFTER_RESTART: readonly ModelFailure['code'][] = ['unreachable', 'too-long'];

/** Marks what the server reported as outdated if a request fails as after a restart. */
export function invalidateFacts({ probe }: Pick<FactsOfModel, 'probe'>): Layer {
  return mapDeltas(() => (delta) => {
    if (delta.type === 'failure' && AFTER_RESTART.includes(delta.failure.code)) probe.write({});
    return delta;
  });
}
