import type { Job } from './job';
import { addFunction } from './kinds/add-function';
import { answerFromFile } from './kinds/answer-from-file';
import { append } from './kinds/append';
import { changeValue } from './kinds/change-value';
import { countAndList } from './kinds/count-and-list';
import { create } from './kinds/create';
import { deleteAndMove } from './kinds/delete-and-move';
import { find } from './kinds/find';
import { fixTest } from './kinds/fix-test';
import { jsonYaml } from './kinds/json-yaml';
import { noTool } from './kinds/no-tool';
import { refactor } from './kinds/refactor';
import { rename } from './kinds/rename';
import { runAndReport } from './kinds/run-and-report';
import { twoEdits } from './kinds/two-edits';

const groups = [
  ...[answerFromFile, find, changeValue, create, append, fixTest, addFunction, rename, jsonYaml],
  ...[runAndReport, countAndList, deleteAndMove, twoEdits, refactor, noTool],
];

export const allJobs: readonly Job[] = groups.flat();

/** One job of each kind. */
export const halfOfJobs: readonly Job[] = groups.flatMap((group) => group.slice(0, 1));
