import type { Arguments, Family } from './arguments';
import { builders } from './builders';
import { files } from './files';
import { git } from './git';
import { javascript } from './javascript';
import { python } from './python';
import { scripts } from './scripts';
import { search } from './search';
import { services } from './services';
import { system } from './system';
import { windows } from './windows';

/** What may follow a rule, for each program that is known. */
export const tables: Readonly<Record<string, Arguments>> = {
  ...files,
  ...system,
  ...search,
  ...git,
  ...scripts,
  ...javascript,
  ...python,
  ...builders,
  ...services,
  ...windows,
} satisfies Family;
