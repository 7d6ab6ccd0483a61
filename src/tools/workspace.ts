import type { Verdict } from '../core/approval';
import type { Image } from '../core/attachment';
import type { FileImage } from '../core/file-change';

/**
 * What the tools need from their surroundings, in their own words. Implemented twice: over plain Node (`src/node`)
 * and by VS Code (`src/host`), where open and unsaved documents count.
 */
export interface Surroundings {
  readonly files: Files;
  readonly images: FileImages;
  readonly search: Search;
  readonly processes: Processes;
  readonly skills: SkillShelf;
  readonly sandbox: Sandbox;
  readonly web: Web;
  /** Absent where there is no editor. */
  readonly languages?: Languages;
  readonly limits: ToolLimits;
}

/** The rows of the one table of limits that tools keep to. */
export interface ToolLimits {
  readonly readLines: number;
  readonly readBytes: number;
  readonly readRepeatBytes: number;
  readonly readWholeFileBytes: number;
  readonly imageBytes: number;
  readonly imagePixels: number;
  readonly writeFileBytes: number;
  readonly recordedFiles: number;
  readonly recordedBytes: number;
  readonly patchHunks: number;
  readonly patchMatchingMs: number;
  readonly searchPatternCharacters: number;
  readonly searchMatches: number;
  readonly searchLineCharacters: number;
  readonly searchResultBytes: number;
  readonly listEntries: number;
  readonly listDepth: number;
  readonly globBraceAlternatives: number;
  readonly commandTimeoutMs: number;
  readonly commandTimeoutMostMs: number;
  readonly commandReadBytes: number;
  readonly questionCharacters: number;
  readonly questionOptions: number;
  readonly questionOptionCharacters: number;
  readonly todoItems: number;
  readonly todoCharacters: number;
  readonly instructionsBytes: number;
  readonly skillArgumentCharacters: number;
  readonly problems: number;
  readonly newProblems: number;
  readonly problemsSettleMs: number;
  readonly symbols: number;
  readonly fetchBytes: number;
  readonly fetchHtmlCharacters: number;
  readonly fetchResultCharacters: number;
  readonly evalTimeoutMs: number;
  readonly evalMemoryBytes: number;
}

/** `delete` is about the entry itself: a link at the end of the path is not followed. */
export type PathUse = 'read' | 'write' | 'list' | 'search' | 'delete';

/** A path argument after the one resolver: every later step uses `resolved` only. */
export interface Place {
  /** Absolute, links resolved. */
  readonly resolved: string;
  /** Relative to its root with `/`, or absolute when it lies outside. For people and models. */
  readonly display: string;
  readonly verdict: Verdict;
}

/** For the preview of a change of the file. */
export function runsCodeIn({ verdict }: Place): { readonly runsCode?: true } {
  return verdict.runsCode ? { runsCode: true } : {};
}

export interface Files {
  /** Throws `ToolError` when the path is refused outright or the policy denies it. */
  resolve(path: string, use: PathUse): Promise<Place>;
  /** `undefined` when nothing is there. */
  stat(place: Place): Promise<FileInfo | undefined>;
  /** Throws `ToolError` for binary or undecodable files. The text is the editor's when the file is open there. */
  readText(place: Place): Promise<TextFile>;
  /** What the bytes say, whatever the name does; `undefined` for what is no image, or too large for one. */
  readImage(place: Place): Promise<ImageFile | undefined>;
  /**
   * Streams the lines of a file on disk that is too big to be read whole, some at a time; cuts a line that never ends.
   * Throws `ToolError` for binary files.
   */
  readLines(place: Place, signal: AbortSignal): AsyncIterable<readonly string[]>;
  /**
   * Replaces the text of an existing file, or creates it with its folders. `base` is the text the change was made
   * from, `undefined` for a new file: when the file differs from it by now, throws `ToolError` and changes nothing.
   * Returns the text as it is stored now: an editor may format a file when it saves it.
   */
  writeText(place: Place, text: string, base: string | undefined): Promise<string>;
  /** By name. Hidden entries are among them. */
  list(place: Place): Promise<readonly Entry[]>;
  /**
   * The content as the user has it: unsaved text counts, in the encoding of the file. `undefined` when there is none.
   * Throws `ToolError` for what is no regular file or is too large to be read whole.
   */
  snapshot(place: Place): Promise<Snapshot | undefined>;
  /**
   * Gives the file exactly these bytes, makes it with its folders, or with `undefined` removes it. `base` is the content
   * that this was decided upon: when there is another by now, throws `ToolError` and changes nothing.
   */
  put(place: Place, content: Snapshot | undefined, base: Uint8Array | undefined): Promise<void>;
  /** Between the names of a resolved path. Elsewhere `\\` may be a part of a name. */
  readonly separator: '/' | '\\';
  /** Whether both are one and the same entry, in two spellings that make no difference there. */
  isSameEntry(one: Place, other: Place): Promise<boolean>;
  /** Both ends of a move; a link at the end of either path is not followed. Throws as `resolve` does. */
  resolveMove(from: string, to: string): Promise<MovePlaces>;
  /** Files below a folder, up to a limit. */
  count(place: Place, signal: AbortSignal): Promise<FileCount>;
  /** Moves a file, a folder or a link to where nothing is, with the folders it needs. Throws `ToolError`. */
  move(places: MovePlaces): Promise<void>;
  /** Deletes a file, a folder with all in it, or a link; to the trash where there is one. Throws `ToolError`. */
  remove(place: Place): Promise<void>;
}

export interface MovePlaces {
  readonly from: Place;
  readonly to: Place;
}

export interface FileCount {
  readonly files: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
}

export interface Snapshot {
  readonly bytes: Uint8Array;
  /** Permission bits, where the system has them. A file that exists keeps its own. */
  readonly mode?: number;
}

/** Keeps what files held, by hash, so that the user can have it back. */
export interface FileImages {
  /** The hash. */
  nameOf(bytes: Uint8Array): FileImage;
  /** Whether it is on the disk now, and so is everything told before. Never rejects: what cannot be kept is missing later. */
  keep(bytes: Uint8Array): Promise<boolean>;
}

export interface FileInfo {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
}

export interface TextFile {
  /** Line endings as they are in the file; without the byte order mark. */
  readonly text: string;
  /** As people write it: `utf-8`, `utf-16le`. */
  readonly encoding: string;
  readonly byteOrderMark: boolean;
}

export interface ImageFile {
  readonly image: Image;
  /** Bytes. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** It has a size and its end. Servers refuse the whole request for an image without. */
  readonly isWhole: boolean;
}

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes of a file; absent also where a folder holds too many to ask. */
  readonly size?: number;
}

/** What ignore files name is left out, and so are the folders of version control. */
export interface Search {
  /** Paths under the folder that match, newest first, relative to it. */
  files(query: FileQuery, signal: AbortSignal): Promise<FileMatches>;
  /** Secret files are left out. Throws `ToolError` for a pattern that cannot be read. */
  text(query: TextQuery, signal: AbortSignal): Promise<TextMatches>;
  /** How many files lie under the folder and under each folder in it, down to `depth` levels. */
  census(folder: Place, depth: number, signal: AbortSignal): Promise<Census>;
}

export interface FileQuery {
  readonly folder: Place;
  /** Relative paths are tested with it. */
  readonly matches: (path: string) => boolean;
  readonly max: number;
}

export interface FileMatches {
  readonly paths: readonly string[];
  readonly total: number;
  /** Why it ended before everything was seen. */
  readonly cut?: SearchCut;
}

/** `size`: a file was left out because it is too large for a search over several lines. */
export type SearchCut = 'time' | 'size';

export interface TextQuery {
  /** A folder, or one file. */
  readonly place: Place;
  readonly query: string;
  readonly isRegex: boolean;
  readonly glob?: FileFilter;
  readonly caseSensitive: boolean;
  /** Lines of context on each side. */
  readonly context: number;
  readonly max: number;
  readonly maxPerFile: number;
}

export interface FileFilter {
  /** As it was given. */
  readonly glob: string;
  /** Relative paths are tested with it. */
  readonly matches: (path: string) => boolean;
  /** Every path that matches has a name that fits one of these shell patterns; empty when nothing is known. */
  readonly names: readonly string[];
}

export interface TextMatches {
  readonly files: readonly FileWithMatches[];
  /** Lines that match in all, also those that are not among `files`. */
  readonly total: number;
  readonly totalFiles: number;
  readonly cut?: SearchCut;
}

export interface FileWithMatches {
  /** Relative to the searched folder. */
  readonly path: string;
  readonly lines: readonly MatchLine[];
  /** Lines that match in this file, also those that are not among `lines`. */
  readonly total: number;
}

export interface MatchLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

export interface Census {
  /** By path relative to the folder; the folder itself is `''`. A folder without visible files is missing. */
  readonly folders: ReadonlyMap<string, number>;
  /** The visible files of the upper `depth` levels. */
  readonly files: ReadonlySet<string>;
  readonly cut?: SearchCut;
}

export interface Processes {
  /** Judges a command; parses it, so that the simple commands can be shown. */
  judge(command: string, cwd: Place): Promise<JudgedCommand>;
  /** Starts it in a process group of its own; aborting ends it. Throws `ToolError` when it cannot be started. */
  start(command: CommandToRun, signal: AbortSignal): Promise<StartedCommand>;
  /** Those that run, and ended ones whose output is still kept; the oldest first. */
  readonly started: readonly StartedCommand[];
}

export interface JudgedCommand {
  readonly verdict: Verdict;
  readonly commands: readonly (readonly string[])[];
}

export interface CommandToRun {
  readonly command: string;
  readonly cwd: Place;
  /** Without one it runs until it ends by itself or is ended. */
  readonly timeoutMs?: number;
  /** Who can end it along with the others of theirs. */
  readonly owner?: object | undefined;
  /** Keeps the output after the end also when an excerpt shows all of it. */
  readonly keepLog: boolean;
  /** Receives what is printed as it comes, in a few pieces a second; in a flood only its newest part. */
  readonly onOutput?: (text: string) => void;
}

export interface StartedCommand {
  /** Names it for the model. Not to be guessed, and never used again. */
  readonly logId: string;
  readonly command: string;
  readonly log: CommandLog;
  /** How long it has run so far, or ran. */
  readonly durationMs: number;
  /** `undefined` while it runs. */
  readonly end: CommandEnd | undefined;
  /** Fulfilled when the process group is gone or the survivors are named. Never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Ends it with everything it has started, if it has not ended yet. */
  stop(): Promise<CommandEnd>;
}

export interface CommandEnd {
  readonly how: CommandFate;
  /** Processes that could not be ended. */
  readonly survivors: readonly number[];
}

export type CommandFate =
  /** `leftRunning`: it had put processes in the background, and they were ended. */
  | { readonly type: 'exited'; readonly code: number; readonly leftRunning: boolean }
  | { readonly type: 'killed'; readonly why: KillReason };

/** `stopped`: on request; `flood`: it printed more than any reader can want. */
export type KillReason = 'timeout' | 'aborted' | 'stopped' | 'flood';

/** What a command has printed so far, both streams together. */
export interface CommandLog {
  /** Head and tail. */
  excerpt(): CommandOutput;
  /** From the first one, some at a time, as far as they are kept. A very long line comes as several. */
  lines(signal: AbortSignal): AsyncIterable<readonly string[]>;
  /** What came after `lines`, when there was more than is kept: bytes that are lost, and the text after them. */
  readonly beyond: { readonly omitted: number; readonly tail: string } | undefined;
}

export interface CommandOutput {
  /** Everything, when nothing is omitted. */
  readonly head: string;
  readonly tail: string;
  /** Bytes in between. */
  readonly omitted: number;
}

/** Where skills stand: folders with a `SKILL.md`. Before the workspace is trusted, nothing of it is looked at. */
export interface SkillShelf {
  /** Looks anew. What cannot be read is named, and keeps nothing else from being found. */
  find(): Promise<FoundSkills>;
}

export interface FoundSkills {
  /** Each name once. What the user has made goes before what came with the workspace. */
  readonly skills: readonly Skill[];
  /** Those whose name was taken. */
  readonly shadowed: readonly Skill[];
  /** A sentence for each one that cannot be used. */
  readonly ignored: readonly string[];
}

export interface Skill {
  readonly name: string;
  /** One line, in the words of whoever wrote the skill. */
  readonly description: string;
  readonly instructions: string;
  readonly origin: 'user' | 'workspace';
  /** As `read_file` takes it. */
  readonly folder: string;
}

/** What the editor knows by the languages of files. Paths are absolute, as the editor has them, and nobody has judged them. */
export interface Languages {
  /** All that is known. Waits a while for what is said about the file, if one is given. */
  problems(file: Place | undefined, signal: AbortSignal): Promise<KnownProblems>;
  /** Makes a change of a file, and waits a while for what is said about it then. Rejects when the change does. */
  aroundChange<T>(file: Place, change: () => Promise<T>, signal: AbortSignal): Promise<ObservedChange<T>>;
  /** In the order of the text, what is inside right after what it is in. */
  outline(file: Place): Promise<readonly OutlinedSymbol[]>;
  /** By a part of the name. */
  find(query: string): Promise<readonly FoundSymbol[]>;
}

export interface KnownProblems {
  readonly problems: readonly Problem[];
  /** Somebody has said something about the file while it was waited for. */
  readonly isFresh: boolean;
}

export interface ObservedChange<T> {
  readonly result: T;
  /** Absent where nobody had looked at the file: what is known after the change may have been there before. */
  readonly before?: readonly Problem[];
  readonly after: KnownProblems;
}

/** The worst first. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
export type ProblemSeverity = (typeof SEVERITIES)[number];

/** Why tools that need `Languages` are not offered. */
export const NO_EDITOR =
  'There is no editor here that knows problems and symbols. Run the build or the linter, or use search_text.';

export interface Problem {
  readonly path: string;
  /** From 1, like the column. */
  readonly line: number;
  readonly column: number;
  readonly severity: ProblemSeverity;
  readonly message: string;
  /** Who says so: `ts`, `eslint`. */
  readonly source?: string;
  readonly code?: string;
}

export interface CodeSymbol {
  /** From 1. */
  readonly line: number;
  readonly endLine: number;
  /** In words: `function`, `enum member`. */
  readonly kind: string;
  readonly name: string;
  readonly container?: string;
}

export interface OutlinedSymbol extends CodeSymbol {
  /** How many symbols it is in. */
  readonly depth: number;
}

export interface FoundSymbol extends CodeSymbol {
  readonly path: string;
}

export interface Web {
  /** What may be fetched, as far as the address says; `url` as it would be fetched, absent when it is refused. */
  judge(address: string): { readonly verdict: Verdict; readonly url: string | undefined };
  /** Follows redirects within a site only. Throws `ToolError`; rejects otherwise only when the signal aborts. */
  fetch(url: string, signal: AbortSignal): Promise<Fetched>;
}

export type Fetched =
  | { readonly type: 'redirect'; readonly url: string }
  | {
      readonly type: 'page';
      readonly url: string;
      /** As the server says; may be empty. */
      readonly contentType: string;
      readonly text: string;
      /** There was more than is fetched. */
      readonly isCut: boolean;
      /** HTML as it came. */
      readonly isSource: boolean;
      /** Of long HTML only the first part was turned into text. */
      readonly isPart: boolean;
    };

/** Where JavaScript runs that has nothing around it: no files, no network, no modules, no timers. */
export interface Sandbox {
  /** Rejects only when the signal aborts. */
  run(code: string, signal: AbortSignal): Promise<SandboxEnd>;
}

export interface SandboxEnd {
  /** What the code printed, a line for each time. */
  readonly printed: string;
  /** It printed more than is kept. */
  readonly isCut: boolean;
  readonly how:
    | {
        readonly type: 'value' | 'error';
        readonly text: string;
        /** Characters of the text that are left out. */
        readonly omitted: number;
      }
    /** The value is a promise that nothing will settle. */
    | { readonly type: 'pending' }
    | { readonly type: 'timeout' }
    /** The engine itself could not go on. */
    | { readonly type: 'crashed' };
}
