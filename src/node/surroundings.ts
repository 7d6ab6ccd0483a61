import { createHash } from 'node:crypto';
import type { Disposable } from '../base/disposable';
import type { FileImage } from '../core/words/file-change';
import type { FileImages } from '../tools/ports/files';
import type { Surroundings } from '../tools/ports/surroundings';
import { createFiles } from './files/files';
import type { EncodingSettings } from './files/guess-encoding';
import type { PlacesOptions } from './files/path-file-system';
import { createSkillShelf } from './files/skills';
import { createIsolate } from './isolate/isolate';
import { lazyGrammar } from './lazy-grammar';
import { createProcesses, type CommandRules } from './processes/processes';
import { Sandbox, type SandboxOptions } from './sandbox/sandbox';
import { createSearch } from './search/search';
import { createWeb, type WebOptions } from './web/web';

export interface SurroundingsOptions extends PlacesOptions {
  /** Called for each command. */
  readonly commandRules: () => CommandRules;
  /** Where `tree-sitter.wasm` and `tree-sitter-bash.wasm` are; the folder of our bundle if not given. */
  readonly wasmFolder?: string;
  /** Absolute path of a ripgrep to use instead of ours; `false` to search without one. */
  readonly ripgrep?: string | false;
  /** What the editor's settings say about the encoding of a file, given by its absolute path. */
  readonly encodings?: (file: string) => EncodingSettings;
  /** The user's line that runs before each command; none if empty. Called for each command. */
  readonly setup?: () => string;
  /** The user's own variables for terminals; `null` removes one. Called for each command. */
  readonly variables?: () => Readonly<Record<string, string | null>>;
  /** The folder of VS Code's program, which may contain a ripgrep. */
  readonly vsCodeFolder?: string;
  /** Environment variables that commands do not get, besides those that look like keys. */
  readonly withheldVariables?: readonly string[];
  /** A folder of our own for the output of commands; the system's temporary folder if not given. */
  readonly logFolder?: string;
  /** Whether the workspace is trusted; called each time. */
  readonly isTrusted: () => boolean;
  /** The folder of the user's own skills; `~/.agents/skills` if not given. */
  readonly userSkills?: string;
  /** Where earlier contents of files are kept; nowhere if not given. */
  readonly images?: FileImages;
  readonly web?: WebOptions;
  /** The sandbox for commands, if the user's settings enable it. */
  readonly sandbox?: Pick<SandboxOptions, 'settings' | 'stateFolder'>;
  /** Whether the user is now to be told that this rule covers less than in earlier versions; true once for each rule. */
  readonly tellsOfRule?: (rule: string) => boolean;
  /** Receives processes that could not be ended. */
  readonly onSurvivors?: (command: string, pids: readonly number[]) => void;
}

export interface OwnedSurroundings extends Surroundings, Disposable {
  /** Ends all commands, or those of one owner, and deletes their output. Resolves when all have ended. */
  endCommands(owner?: object): Promise<void>;
  readonly sandbox?: Sandbox;
}

/**
 * The tools' ports, implemented over plain Node: for the command line, for tests, and as the base of the editor's
 * version.
 */
export function createSurroundings(options: SurroundingsOptions): OwnedSurroundings {
  const {
    commandRules,
    wasmFolder = __dirname,
    ripgrep,
    vsCodeFolder,
    encodings,
    withheldVariables = [],
  } = options;
  const { sandbox: sandboxOptions, ...others } = options;
  const {
    logFolder: _,
    onSurvivors: __,
    tellsOfRule: ___,
    images = unkeptImages,
    isTrusted,
    userSkills,
    web,
    ...places
  } = others;
  const sandbox =
    sandboxOptions && new Sandbox({ ...places, ...sandboxOptions, keepsFiles: images !== unkeptImages });
  const processes = createProcesses({
    ...others,
    ...(sandbox && { sandbox }),
    isTrusted,
    rules: commandRules,
    grammar: lazyGrammar(wasmFolder),
    withheld: withheldVariables,
  });
  return {
    files: createFiles(places),
    images,
    search: createSearch({ ...places, ripgrep, vsCodeFolder, encodings }),
    processes,
    skills: createSkillShelf({
      roots: options.roots,
      isTrusted,
      ...(userSkills !== undefined && { userSkills }),
    }),
    isolate: createIsolate(),
    web: createWeb(web),
    endCommands: (owner) => (owner ? processes.endOf(owner) : processes.endAll()),
    ...(sandbox && { sandbox }),
    dispose: () => {
      processes.dispose();
      sandbox?.dispose();
    },
  };
}

export function imageName(bytes: Uint8Array): FileImage {
  return createHash('sha256').update(bytes).digest('hex');
}

/** If restoring is impossible, nothing is stored. */
const unkeptImages: FileImages = { nameOf: imageName, keep: () => Promise.resolve(false) };
