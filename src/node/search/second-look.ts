import { open, opendir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import { secretPath } from '../../policy/paths/secret-files';
import { secretFilter } from '../../policy/secrets';
import type { FileQuery, OmittedFiles, SecondLook, TextMatches, TextQuery } from '../../tools/ports/search';
import { withOthers } from '../../tools/files/search-notes';
import { inGroups } from '../files/files';
import { fileEncoding, type EncodingSettings } from '../files/guess-encoding';
import { pathFileSystem } from '../files/path-file-system';
import { searchBase, VERSION_CONTROL, type AppliedRules } from './ignore-files';
import { listPaths, searchText, type RipgrepOptions } from './ripgrep';
import type { FoundText } from './search-engine';

interface SecondLookOptions extends RipgrepOptions {
  /** What the editor's settings say about the encoding of a file, given by its absolute path. */
  readonly encodings?: ((file: string) => EncodingSettings) | undefined;
}

/** See `lookAgain` of `Search`. */
export async function lookAgain(
  options: SecondLookOptions,
  query: TextQuery | FileQuery,
  signal: AbortSignal,
): Promise<SecondLook> {
  const target = ('place' in query ? query.place : query.folder).resolved;
  const visible = new VisibleFiles();
  const list = (rules: AppliedRules): Promise<unknown> =>
    listPaths(
      { program: options.program, base: searchBase(target, options.roots, rules) },
      ['--files'],
      (file) => visible.add(file),
      signal,
    );
  let rules: AppliedRules = query.includeIgnored ? 'none' : 'all';
  await list(rules);
  const isNamed = visible.files.size === 0 && rules === 'all';
  if (isNamed) await list((rules = 'inside'));
  const ignored = rules === 'none' ? NOTHING_IGNORED : await countIgnored(target, visible, signal);
  if (!('place' in query)) {
    const omitted = { ...NOTHING_OMITTED, ignored: ignored.count, isMore: ignored.isMore };
    return { found: NOTHING_FOUND, omitted };
  }
  const found = isNamed ? await searchText(options, { ...query, rules }, signal) : NOTHING_FOUND;
  const odd = await oddFiles(options, { ...query, rules }, signal);
  const decoded = await searchDecoded(options, { ...query, rules }, odd.byEncoding, signal);
  const isSecret = secretFilter({ platform: pathFileSystem.platform, added: options.secretNames });
  const isWanted = (file: string): boolean => query.glob?.matches(file) ?? true;
  let secret = 0;
  for (const file of visible.files)
    if (isWanted(file) && isSecret(secretPath(path.join(target, file), pathFileSystem))) secret++;
  return {
    found: withOthers(found, decoded),
    omitted: {
      ignored: ignored.count,
      binary: odd.binary,
      secret,
      undecoded: odd.undecoded,
      isMore: ignored.isMore || visible.isMore || odd.isMore,
    },
  };
}

const NOTHING_FOUND: FoundText = { files: [], total: 0, totalFiles: 0 };
const NOTHING_IGNORED = { count: 0, isMore: false };
const NOTHING_OMITTED: OmittedFiles = { ignored: 0, binary: 0, secret: 0, undecoded: [], isMore: false };

/** The files that a search sees, and the folders above them, up to a limit. */
class VisibleFiles {
  readonly files = new Set<string>();
  readonly folders = new Set<string>(['']);
  isMore = false;

  add(file: string): void {
    if (this.files.size >= limits.omittedEntries) {
      this.isMore = true;
      return;
    }
    this.files.add(file);
    for (let cut = file.lastIndexOf('/'); cut > 0; cut = file.lastIndexOf('/', cut - 1)) {
      const folder = file.slice(0, cut);
      if (this.folders.has(folder)) return;
      this.folders.add(folder);
    }
  }
}

/** Counts what is in the folders of visible files and not visible. Never enters an ignored folder. */
async function countIgnored(
  target: string,
  visible: VisibleFiles,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly isMore: boolean }> {
  // What lies beyond the limit would count as ignored.
  if (visible.isMore) return { count: 0, isMore: true };
  let count = 0;
  await inGroups([...visible.folders], async (folder) => {
    signal.throwIfAborted();
    const entries = await readdir(path.join(target, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const below = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && !visible.files.has(below)) count++;
      if (!entry.isDirectory() || visible.folders.has(below) || VERSION_CONTROL.includes(entry.name))
        continue;
      if (await holdsSomething(path.join(target, below))) count++;
    }
  });
  return { count, isMore: false };
}

async function holdsSomething(folder: string): Promise<boolean> {
  const entries = await opendir(folder).catch(() => undefined);
  if (!entries) return false;
  for await (const _ of entries) return true;
  return false;
}

interface OddFiles {
  readonly binary: number;
  readonly undecoded: readonly string[];
  readonly byEncoding: ReadonlyMap<string, readonly string[]>;
  readonly isMore: boolean;
}

type RuledQuery = TextQuery & { readonly rules: AppliedRules };

/** Sorts the files that are not UTF-8 by what they are. */
async function oddFiles(
  { program, roots, secretNames, encodings }: SecondLookOptions,
  { place, glob, rules }: RuledQuery,
  signal: AbortSignal,
): Promise<OddFiles> {
  const isSecret = secretFilter({ platform: pathFileSystem.platform, added: secretNames });
  const files: string[] = [];
  let wantedFiles = 0;
  const add = (file: string): void => {
    const isWanted =
      file === '' ||
      ((glob?.matches(file) ?? true) &&
        !isSecret(secretPath(path.join(place.resolved, file), pathFileSystem)));
    if (!isWanted) return;
    wantedFiles++;
    if (files.length < limits.oddFiles) files.push(file);
  };
  const wanted = ['--files-with-matches', '--text', '--regexp', NOT_UTF8];
  const end = await listPaths(
    { program, base: searchBase(place.resolved, roots, rules) },
    wanted,
    add,
    signal,
  );
  let binary = 0;
  const undecoded: string[] = [];
  const byEncoding = new Map<string, string[]>();
  await inGroups(files.sort(), async (file) => {
    signal.throwIfAborted();
    const whole = path.join(place.resolved, file);
    const kind = fileEncoding(await firstBytes(whole), encodings?.(whole));
    if (kind.type === 'binary') binary++;
    else if (kind.type === 'unknown') undecoded.push(file);
    else byEncoding.set(kind.encoding, [...(byEncoding.get(kind.encoding) ?? []), file]);
  });
  return {
    binary,
    undecoded: undecoded.sort(),
    byEncoding,
    isMore: wantedFiles > files.length || end.cut !== undefined,
  };
}

/**
 * A byte that is 0, or no part of a character in UTF-8: a byte that never occurs, a tail without a head, a head without
 * its tails, and what is longer than necessary or beyond Unicode.
 */
const NOT_UTF8 = [
  String.raw`\x00`,
  String.raw`[\xC0\xC1\xF5-\xFF]`,
  String.raw`(?:^|[\x00-\x7F])[\x80-\xBF]`,
  String.raw`[\xC2-\xDF](?:[^\x80-\xBF]|$)`,
  String.raw`[\xC2-\xDF][\x80-\xBF]{2}`,
  String.raw`[\xE0-\xEF][\x80-\xBF]?(?:[^\x80-\xBF]|$)`,
  String.raw`[\xE0-\xEF][\x80-\xBF]{3}`,
  String.raw`\xE0[\x80-\x9F]|\xED[\xA0-\xBF]`,
  String.raw`[\xF0-\xF4][\x80-\xBF]{0,2}(?:[^\x80-\xBF]|$)`,
  String.raw`[\xF0-\xF4][\x80-\xBF]{4}`,
  String.raw`\xF0[\x80-\x8F]|\xF4[\x90-\xBF]`,
]
  .map((part) => `(?-u:${part})`)
  .join('|');

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return Buffer.alloc(0);
  try {
    const buffer = Buffer.alloc(limits.encodingBytes);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function searchDecoded(
  options: RipgrepOptions,
  query: RuledQuery,
  byEncoding: ReadonlyMap<string, readonly string[]>,
  signal: AbortSignal,
): Promise<TextMatches> {
  let all: TextMatches = NOTHING_FOUND;
  for (const [encoding, files] of byEncoding) {
    for (const group of groups(files)) {
      const found = await searchText(options, { ...query, only: { files: group, encoding } }, signal);
      all = withOthers(all, found);
    }
  }
  return all;
}

/** Windows takes no longer command line than 32,767 characters. */
const ARGUMENT_CHARACTERS = 24_000;
/** Separators, quotes and the folder before each. */
const PER_ARGUMENT = 50;

function groups(files: readonly string[]): readonly string[][] {
  const all: string[][] = [];
  let size = Infinity;
  for (const file of files) {
    if (size + file.length > ARGUMENT_CHARACTERS) {
      all.push([]);
      size = 0;
    }
    size += file.length + PER_ARGUMENT;
    all.at(-1)?.push(file);
  }
  return all;
}
