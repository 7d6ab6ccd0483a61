import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { Emitter, type Disposable } from '../../../base/disposable';
import { limits } from '../../../base/limits';
import type { LabRun } from '../../../contract/lab-run';
import { toolResult } from '../../../sessions/event-schema';
import type { SessionFolder } from '../../../sessions/folder';

interface KeptRunsOptions {
  readonly folder: SessionFolder;
  /** Receives errors of saving and reading, for the log. */
  readonly onError: (error: unknown) => void;
}

/**
 * The last runs, newest first. Each is a separate file that is written atomically, so that two windows on the same
 * workspace do not overwrite each other's runs.
 */
export class KeptRuns implements Disposable {
  private readonly changes = new Emitter<LabRun | undefined>();
  private list: readonly LabRun[] = [];
  private writing: Promise<void> = Promise.resolve();

  /** Resolves when runs of earlier windows are loaded. Never rejects. */
  readonly loaded: Promise<void>;
  /** Fires with a new run, or without one if the list changed otherwise. */
  readonly onChange = this.changes.event;

  constructor(private readonly options: KeptRunsOptions) {
    this.loaded = this.inTurn(() => this.load());
  }

  get runs(): readonly LabRun[] {
    return this.list;
  }

  add(run: Omit<LabRun, 'id'>): void {
    const id = `${String(run.time).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
    const added = { id, ...run };
    this.show([added, ...this.list], added);
    void this.inTurn(async () => {
      const { folder } = this.options;
      await folder.put(fileOf(id), Buffer.from(JSON.stringify(run)));
      for (const old of (await this.ids()).slice(limits.labRuns)) await folder.remove(fileOf(old));
    });
  }

  forget(): void {
    this.show([]);
    void this.inTurn(async () => {
      for (const id of await this.ids()) await this.options.folder.remove(fileOf(id));
    });
  }

  /** Resolves when everything so far is saved. Never rejects. */
  flush(): Promise<void> {
    return this.writing;
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async load(): Promise<void> {
    const { folder, onError } = this.options;
    const found: LabRun[] = [];
    for (const id of (await this.ids()).slice(0, limits.labRuns)) {
      const run = StoredRun.safeParse(parsed(await folder.read(fileOf(id))));
      // SAFETY: it was checked, and written from one.
      if (run.success) found.push({ id, ...run.data } as unknown as LabRun);
      else onError(new Error(`The run ${id} of the lab cannot be read.`));
    }
    this.show([...this.list, ...found]);
  }

  /** Newest first. */
  private async ids(): Promise<readonly string[]> {
    const names = await this.options.folder.names();
    return names
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .sort()
      .reverse();
  }

  private show(runs: readonly LabRun[], added?: LabRun): void {
    this.list = runs.slice(0, limits.labRuns);
    this.changes.fire(added);
  }

  /** Runs one after another. Errors are reported, and the list in the window stays. */
  private inTurn(action: () => Promise<void>): Promise<void> {
    this.writing = this.writing.then(action).catch(this.options.onError);
    return this.writing;
  }
}

const FILE = /^run-(\d{15}-[0-9a-f]{8})\.json$/;

function fileOf(id: string): string {
  return `run-${id}.json`;
}

const StoredRun = z.object({
  time: z.number(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  result: toolResult,
});

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
