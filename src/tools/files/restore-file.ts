import type { NetChange } from '../../core/transcript/file-changes';
import { ABSENT, FOLDER, UNKNOWN, type FileChange, type FileImage } from '../../core/words/file-change';
import { ToolError } from '../../core/words/tool';
import type { FileImages, Files, Place, Snapshot } from '../ports/files';
import { imageOf } from './record-change';

/** The files, and their earlier contents. */
export interface Shelf {
  readonly files: Files;
  readonly images: FileImages & {
    /** Nothing if it was not stored. */
    read(image: FileImage): Promise<Uint8Array | undefined>;
  };
}

/** A file that can be restored. It has not been changed yet. */
export interface PlannedFile {
  readonly change: NetChange;
  readonly place: Place;
  readonly present: Snapshot | undefined;
  readonly target: Snapshot | undefined;
  /** What the user should know first. Empty if the file is as Parley left it and nothing else changed it. */
  readonly doubts: readonly Doubt[];
}

export type Doubt =
  /** It was changed after Parley's last change. */
  | { readonly type: 'changed' }
  /** The process ended in the middle of a change. */
  | { readonly type: 'interrupted' }
  /** Something else changed it between two changes by Parley. */
  | { readonly type: 'shared' }
  /** Every change to it needs approval. */
  | { readonly type: 'protected'; readonly reason: string };

export interface Unrestorable {
  readonly change: NetChange;
  readonly why: Obstacle;
}

export type Obstacle =
  | { readonly type: 'unkept' }
  /** A folder that was deleted or moved as a whole, with more in it than is recorded. */
  | { readonly type: 'full' }
  /** A part of its path has become a link. */
  | { readonly type: 'moved' }
  | { readonly type: 'failed'; readonly message: string }
  /** Its current content could not be stored, so it was not touched. */
  | { readonly type: 'unsaved' }
  /** It was restored, and something changed it at once. */
  | { readonly type: 'altered' };

interface RestorePlan {
  /** Files that differ from before. */
  readonly files: readonly PlannedFile[];
  readonly left: readonly Unrestorable[];
}

/** Finds out what restoring these files would do. Changes nothing. */
export async function planRestore(changes: readonly NetChange[], shelf: Shelf): Promise<RestorePlan> {
  const files: PlannedFile[] = [];
  const left: Unrestorable[] = [];
  for (const change of changes) {
    const planned = await unlessFailed(() => plan(change, shelf));
    if (!planned) continue;
    if ('type' in planned) left.push({ change, why: planned });
    else files.push(planned);
  }
  return { files, left };
}

interface Restored {
  /** What happened, even if it differs from the plan. */
  readonly change: FileChange;
  readonly why?: Obstacle;
}

/** The first half of the change, to report before it is made. */
export function startedChange({ change, present }: PlannedFile, { images }: Shelf): FileChange {
  return {
    path: change.path,
    display: change.display,
    before: imageOf(present, images),
    ...(present?.mode !== undefined && { mode: present.mode }),
  };
}

/**
 * Restores one file. Stores its current content first, so that the restore can be undone; if that fails, leaves it
 * alone.
 */
export async function restoreFile(planned: PlannedFile, shelf: Shelf): Promise<Restored> {
  const { place, present, target } = planned;
  const { files, images } = shelf;
  const change = startedChange(planned, shelf);
  if (present && !(await images.keep(present.bytes))) {
    return { change: { ...change, after: change.before }, why: { type: 'unsaved' } };
  }
  const failed = await unlessFailed(() => files.put(place, target, present?.bytes));
  const now = await unlessFailed(async () => imageOf(await files.snapshot(place), images));
  const after = typeof now === 'string' ? now : UNKNOWN;
  const ended = { ...change, after };
  if (failed) return { change: ended, why: failed };
  return after === imageOf(target, images) ? { change: ended } : { change: ended, why: { type: 'altered' } };
}

async function plan(
  change: NetChange,
  { files, images }: Shelf,
): Promise<PlannedFile | Obstacle | undefined> {
  if (change.before === FOLDER || change.after === FOLDER) return { type: 'full' };
  const place = await files.resolve(change.path, 'write');
  if (place.resolved !== change.path) return { type: 'moved' };
  const present = await files.snapshot(place);
  const image = imageOf(present, images);
  if (image === change.before) return undefined;
  const bytes = change.before === ABSENT ? undefined : await images.read(change.before);
  if (change.before !== ABSENT && !bytes) return { type: 'unkept' };
  const target = bytes && { bytes, ...(change.mode !== undefined && { mode: change.mode }) };
  return { change, place, present, target, doubts: doubtsOf(change, image, place) };
}

function doubtsOf({ after, isShared }: NetChange, present: FileImage, { verdict }: Place): Doubt[] {
  const doubts: Doubt[] = [];
  if (after === undefined) doubts.push({ type: 'interrupted' });
  else if (after !== present) doubts.push({ type: 'changed' });
  if (isShared) doubts.push({ type: 'shared' });
  if (verdict.decision !== 'auto') doubts.push({ type: 'protected', reason: verdict.reason });
  return doubts;
}

/** A failure with one file does not stop the others. */
async function unlessFailed<T>(action: () => Promise<T>): Promise<T | Extract<Obstacle, { type: 'failed' }>> {
  try {
    return await action();
  } catch (error) {
    // The file system has more errors than the tools translate for models.
    const isExpected = error instanceof ToolError || (error instanceof Error && 'code' in error);
    if (!isExpected) throw error;
    return { type: 'failed', message: error.message };
  }
}
