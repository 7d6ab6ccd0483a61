import { limits } from '../../base/limits';
import { visibleName } from '../../base/text';
import { ToolError, type Access } from '../../core/words/tool';
import type { PathUse } from '../../core/words/verdict';
import type { Files, Place } from '../ports/files';

/** Names that differ only in what can hardly be seen: kinds of blanks, of dashes, of accents. */
const BLANKS = /[\p{Zs}\t]+/gu;
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/gu;
const QUOTES = /[\u2018\u2019\u201a\u201b\u02bc]/gu;
const DOUBLE_QUOTES = /[\u201c-\u201f]/gu;
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
/** Typographers put a blank there, authors often do not. */
const CJK_GAP = new RegExp(`(?<=${CJK}) (?=[A-Za-z0-9])|(?<=[A-Za-z0-9]) (?=${CJK})`, 'gu');

/** Equal for names that look alike. */
export function foldedName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(BLANKS, ' ')
    .replace(DASHES, '-')
    .replace(QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(CJK_GAP, '')
    .trim();
}

/** A name with the characters drawn as `⟨U+202F⟩` that are neither ASCII nor in the other name. */
export function oddName(name: string, other: string): string {
  const common = new Set(other);
  const shown = Array.from(name, (character) =>
    character > '\x7f' && !common.has(character) ? drawn(character) : character,
  );
  return visibleName(shown.join(''));
}

function drawn(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

interface MeantPlace {
  readonly place: Place;
  /** How to write the path in a further `resolve`. */
  readonly path: string;
  /** For the result: the name that was used instead; empty if the path exists as it is. */
  readonly note: string;
}

/**
 * Resolves a path. Where nothing is there, but one entry has a name that looks the same, it is that entry, judged by its
 * real name. Throws like `resolve`.
 */
export async function resolveMeant(
  path: string,
  use: Exclude<PathUse, 'move'>,
  files: Files,
): Promise<MeantPlace> {
  const place = await files.resolve(path, use);
  const twin = await twinOf(place, files);
  if (!twin) return { place, path, note: '' };
  const meant = await files.resolve(twin.path, use);
  return { place: meant, path: twin.path, note: `\n[The name on the disk is ${twin.shown}.]` };
}

interface Twin {
  /** Absolute. */
  readonly path: string;
  /** Its odd names, with what is odd in them. */
  readonly shown: string;
}

/** The one existing entry whose path looks like that of a place where nothing is. Looks only where no approval is needed. */
export async function twinOf(place: Place, files: Files): Promise<Twin | undefined> {
  const missing = await missingNames(place, files);
  if (!missing) return undefined;
  let path = missing.parent.resolved;
  const shown: string[] = [];
  for (const name of missing.names) {
    const entries = await entriesOf(path, files);
    const twins = entries.filter((entry) => foldedName(entry) === foldedName(name));
    const twin = twins.includes(name) ? name : twins[0];
    if (twin === undefined || (twins.length > 1 && twin !== name)) return undefined;
    if (twin !== name) shown.push(oddName(twin, name));
    path = joined(path, twin, files);
  }
  return { path, shown: shown.join(' in ') };
}

/** An access that creates something asks if it would look like an entry that exists. */
export async function newNameAccess(
  access: Access,
  place: Place,
  files: Files,
  except?: Place,
): Promise<Access> {
  const missing = await missingNames(place, files);
  const [name] = missing?.names ?? [];
  if (!missing || name === undefined || access.verdict.decision !== 'auto') return access;
  const twin = (await entriesOf(missing.parent.resolved, files)).find(
    (entry) =>
      foldedName(entry) === foldedName(name) &&
      joined(missing.parent.resolved, entry, files) !== except?.resolved,
  );
  if (twin === undefined) return access;
  const reason = `its name looks like that of ${oddName(twin, name)}, which exists`;
  return { ...access, verdict: { ...access.verdict, decision: 'ask', reason } };
}

interface MissingNames {
  /** The nearest folder that exists. */
  readonly parent: Place;
  /** The names below it, of which the first does not exist. */
  readonly names: readonly string[];
}

async function missingNames(place: Place, files: Files): Promise<MissingNames | undefined> {
  if (place.verdict.decision !== 'auto' || (await files.stat(place))) return undefined;
  const names: string[] = [];
  let path = place.resolved;
  for (let cut = lastCut(path, files); cut > 0; cut = lastCut(path, files)) {
    names.unshift(path.slice(cut + 1));
    path = path.slice(0, cut);
    const parent = await listable(path, files);
    if (!parent) return undefined;
    const info = await files.stat(parent);
    if (info) return info.kind === 'folder' ? { parent, names } : undefined;
  }
  return undefined;
}

async function entriesOf(path: string, files: Files): Promise<readonly string[]> {
  const folder = await listable(path, files);
  if (!folder || (await files.stat(folder))?.kind !== 'folder') return [];
  return (await files.list(folder)).slice(0, limits.listEntries).map(({ name }) => name);
}

async function listable(path: string, files: Files): Promise<Place | undefined> {
  try {
    const place = await files.resolve(path, 'list');
    return place.verdict.decision === 'auto' ? place : undefined;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function lastCut(path: string, { separator }: Pick<Files, 'separator'>): number {
  return path.lastIndexOf(separator);
}

function joined(folder: string, name: string, { separator }: Pick<Files, 'separator'>): string {
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}
