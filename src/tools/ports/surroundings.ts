import type { FileImages, Files } from './files';
import type { Isolate } from './isolate';
import type { Languages } from './languages';
import type { Processes } from './processes';
import type { Search } from './search';
import type { SkillShelf } from './skills';
import type { Web } from './web';

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
  readonly isolate: Isolate;
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
