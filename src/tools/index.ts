import type { Tool } from '../core/words/tool';
import { askUser } from './ask-user';
import { callSubAgent } from './call-sub-agent';
import { deletePath } from './delete-path';
import { editFile } from './edit-file';
import { evalJs } from './eval-js';
import { fetchUrl } from './fetch-url';
import { SeenFiles } from './files/seen-files';
import { findFiles } from './find-files';
import { getProblems } from './get-problems';
import { getSymbols } from './get-symbols';
import { listCommands } from './list-commands';
import { movePath } from './move-path';
import type { Surroundings } from './ports/surroundings';
import { readFile } from './read-file';
import { readFolder } from './read-folder';
import { readOutput } from './read-output';
import { renameSymbol } from './rename-symbol';
import { runShellCommand } from './run-shell-command';
import { searchText } from './search-text';
import { stopCommand } from './stop-command';
import { updateTodos } from './update-todos';
import { writeFile } from './write-file';

/** The tools that Parley brings. To add one, write its file and its test, and add its line. */
export function builtInTools(surroundings: Surroundings): readonly Tool[] {
  const seen = new SeenFiles();
  const tools: readonly Tool[] = [
    readFile(surroundings, seen),
    writeFile(surroundings, seen),
    editFile(surroundings, seen),
    readFolder(surroundings),
    findFiles(surroundings),
    searchText(surroundings),
    movePath(surroundings),
    deletePath(surroundings),
    runShellCommand(surroundings),
    readOutput(surroundings),
    listCommands(surroundings),
    stopCommand(surroundings),
    getProblems(surroundings),
    getSymbols(surroundings),
    renameSymbol(surroundings, seen),
    callSubAgent(() => tools),
    askUser(),
    updateTodos(),
    fetchUrl(surroundings),
    evalJs(surroundings),
  ];
  return tools;
}
