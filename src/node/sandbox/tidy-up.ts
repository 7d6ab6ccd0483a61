import { readdir } from 'node:fs/promises';
import { limits } from '../../base/limits';
import type { CommandChange, SandboxReport } from '../../tools/ports/processes';
import {
  bytePath,
  isBelow,
  joinBytes,
  nameOf,
  parentOf,
  toBuffer,
  toText,
  type BytePath,
} from './byte-paths';
import { isSame, lookAtTree, type GuardedTree } from './guarded-tree';
import type { KeptFiles } from './kept-files';
import { withRepositories, type Look } from './layout';
import { leadsOf, type Leads } from './repositories';
import { restoreLink, type AsideFolder, type MovedEntry } from './set-aside';

interface TidyUp {
  readonly before: GuardedTree;
  readonly leads: Leads;
  readonly repositories: readonly BytePath[];
  readonly writable: readonly BytePath[];
  readonly look: Look;
  /** For removed entries; may hold some already. */
  readonly aside: AsideFolder;
  /** Whether the user worked beside the command. What is directly in a workspace folder may then be theirs. */
  readonly isBackground: boolean;
  /** Whether the user has approved that Parley writes this place, or one below it. */
  readonly isOwn: (at: BytePath) => boolean;
  /** The earlier contents of files, if they are kept. */
  readonly kept?: KeptFiles;
}

/**
 * What may be the user's: it appeared directly in a workspace folder while a background command ran, or the user has
 * approved it.
 */
export function mayBeUsers(
  at: BytePath,
  { writable, isBackground, isOwn }: Pick<TidyUp, 'writable' | 'isBackground' | 'isOwn'>,
): boolean {
  return isOwn(at) || (isBackground && writable.includes(parentOf(at)));
}

/** What is in an approved folder without being approved. */
async function strangersIn(folder: BytePath, { isOwn }: Pick<TidyUp, 'isOwn'>): Promise<readonly BytePath[]> {
  const options = { withFileTypes: true, encoding: 'buffer' } as const;
  const entries = await readdir(toBuffer(folder), options).catch(() => []);
  const found: BytePath[] = [];
  for (const entry of entries) {
    const at = joinBytes(folder, bytePath(entry.name));
    if (!isOwn(at)) found.push(at);
    else if (entry.isDirectory()) found.push(...(await strangersIn(at, { isOwn })));
  }
  return found;
}

export interface TidiedUp {
  readonly report: SandboxReport;
  /** What is not allowed but may be the user's. */
  readonly unclaimed: readonly BytePath[];
}

/**
 * Removes and restores what the command was not allowed to change. Call it when none of its processes runs any more.
 * Never rejects.
 */
export async function tidyUp(parts: TidyUp): Promise<TidiedUp> {
  const { before, writable, look, aside, kept } = parts;
  const name = (at: BytePath): string => displayed(at, writable);
  let after: GuardedTree;
  try {
    // Folders that the user locked stay locked.
    const skips = new Set([...look.skips, ...before.locked]);
    const unlocking = { ...look, skips, unlocks: true };
    const workspace = await lookAtTree({ ...unlocking, roots: writable });
    after = await withRepositories(workspace, parts.repositories, unlocking);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const report: SandboxReport = {
      ...removedFrom(aside, name),
      unclaimed: [],
      remaining: [`what could not be looked through: ${reason}`],
      runsCode: [],
      changes: [],
    };
    return { report, unclaimed: [] };
  }
  const remaining: string[] = [];
  const turned = turnedAway(parts.leads, await leadsOf(after.protected));
  const found = [...new Set([...unwanted(before, after), ...turned])];
  const unclaimed = found.filter((at) => !before.protected.has(at) && mayBeUsers(at, parts));
  const strangers = await Promise.all(unclaimed.filter(parts.isOwn).map((at) => strangersIn(at, parts)));
  for (const at of [...found, ...strangers.flat()]) {
    if (!unclaimed.includes(at) && !(await aside.take(at))) remaining.push(name(at));
  }
  for (const [at, { kind, link }] of before.protected) {
    if (kind !== 'link' || link === undefined || after.protected.get(at)?.link === link) continue;
    if (!(await restoreLink(at, link))) remaining.push(name(at));
  }
  const changed = changedFiles(before, after);
  const report: SandboxReport = {
    ...removedFrom(aside, name),
    unclaimed: unclaimed.map(name),
    remaining,
    runsCode: changed.filter((at) => after.files.get(at)?.runsCode).map(name),
    changes: await changesOf(changed, before, name, kept),
  };
  return { report, unclaimed };
}

function removedFrom(
  { moved, path }: AsideFolder,
  name: (at: BytePath) => string,
): Pick<SandboxReport, 'removed' | 'keptIn'> {
  const removed = moved.map((entry) => displayedMove(entry, name));
  return { removed, ...(removed.length > 0 && { keptIn: path }) };
}

function displayedMove({ at, now }: MovedEntry, name: (at: BytePath) => string): string {
  return nameOf(at) === nameOf(now) ? name(at) : `${name(at)} (now ${toText(nameOf(now))})`;
}

/** Returns the changes that the user can restore, existing files first. */
async function changesOf(
  changed: readonly BytePath[],
  before: GuardedTree,
  name: (at: BytePath) => string,
  kept: KeptFiles | undefined,
): Promise<readonly CommandChange[]> {
  if (!kept) return [];
  const isOld = (at: BytePath): boolean => before.files.has(at);
  const ordered = [...changed.filter(isOld), ...changed.filter((at) => !isOld(at))];
  return Promise.all(
    ordered.slice(0, limits.recordedFiles).map(async (at) => {
      const seen = before.files.get(at);
      const content = seen && ((await kept.read(at, seen)) ?? 'unknown');
      return { path: toText(at), display: name(at), ...(content && { before: content, mode: seen.mode }) };
    }),
  );
}

/** Protected places that did not exist before, and links that now lead elsewhere. */
function unwanted(before: GuardedTree, after: GuardedTree): readonly BytePath[] {
  const fresh = after.repositories.filter((at) => !before.repositories.includes(at));
  const entries = [...after.protected].filter(([at, { kind, link }]) => {
    const known = before.protected.get(at);
    return known === undefined || known.kind !== kind || known.link !== link;
  });
  const found = [...fresh, ...entries.map(([at]) => at)];
  // Moving a folder also moves what is in it.
  return found.filter((at) => !found.some((other) => other !== at && isBelow(at, other)));
}

/** Links and files `.git` that now lead elsewhere although they were not changed. */
function turnedAway(before: Leads, after: Leads): readonly BytePath[] {
  return [...after]
    .filter(([at, to]) => before.has(at) && to !== undefined && to !== before.get(at))
    .map(([at]) => at);
}

/** New, changed and deleted files. */
function changedFiles(before: GuardedTree, after: GuardedTree): readonly BytePath[] {
  const changed = [...after.files].filter(([at, seen]) => !isSame(before.files.get(at), seen));
  const deleted = [...before.files.keys()].filter((at) => !after.files.has(at));
  return [...changed.map(([at]) => at), ...deleted];
}

export function displayed(at: BytePath, roots: readonly BytePath[]): string {
  const root = roots.find((each) => isBelow(at, each));
  return toText(root === undefined ? at : at.slice(root.length + 1));
}
