import type { Escape } from './escape';
import { reads } from './reads';
import { rights } from './rights';
import { talk } from './talk';
import { time } from './time';
import { writes } from './writes';
import { gitWrites } from './git-writes';

/** All attempts, by kind. */
export const tables: Readonly<Record<string, readonly Escape[]>> = {
  writes,
  'git-writes': gitWrites,
  reads,
  rights,
  talk,
  time,
};
