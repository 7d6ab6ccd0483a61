import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { Emitter, type Disposable } from '../../base/disposable';
import { limits } from '../../base/limits';
import type { LabRun } from '../../contract/lab-run';
import { toolResult } from '../../sessions/event-schema';
import type { SessionFolder } from '../../sessions/folder';

interface KeptRunsOptions {
  readonly folder: SessionFolder;
  /** Receives what could not be kept or read, for the log. */
  readonly onError: (error: unknown) => void;
}

/**
 * The last runs, newest first. Each is a file of its own that appears whole or not at all, so that two windows on the
 * same workspace do not write over each other's.
 */
export class KeptRuns implements Disposable {
  private readonly changes = new Emitter<LabRun | undefined>();
  private list: readonly LabRun[] = [];
  private writing: Promise<void> = Promise.resolve();

  /** Fulfilled when those of earlier windows are there. Never rejects. */
  readonly loaded: Promise<void>;
  /** Fires with the run that has come, or without one where the list is another. */
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

  /** Fulfilled when everything so far is in the files. Never rejects. */
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

  /** One after another; what fails is told, and the list in the window stays. */
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
