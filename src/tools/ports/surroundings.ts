import type { FileImages, Files } from './files';
import type { Isolate } from './isolate';
import type { Languages } from './languages';
import type { Processes } from './processes';
import type { Search } from './search';
import type { SkillShelf } from './skills';
import type { Web } from './web';

/**
 * What the tools need from outside. Implemented twice: over plain Node (`src/node`) and by VS Code (`src/host`), where
 * open and unsaved documents count.
 */
export interface Surroundings {
  readonly files: Files;
  readonly images: FileImages;
  readonly search: Search;
  readonly processes: Processes;
  readonly skills: SkillShelf;
  readonly isolate: Isolate;
  readonly web: Web;
  /** Absent without an editor. */
  readonly languages?: Languages;
}
