import { visibleText } from '../base/visible-text';
import type { Files, Place } from './workspace';

type Separated = Pick<Files, 'separator'>;

/** Whether a place is the other one or lies below it. */
export function liesIn(folder: Place, { resolved }: Place, files: Separated): boolean {
  return resolved === folder.resolved || resolved.startsWith(asFolder(folder, files));
}

/** Of an entry of a folder. */
export function below(folder: Place, name: string, files: Separated): Place {
  return {
    ...folder,
    resolved: asFolder(folder, files) + name,
    display: `${folder.display}/${visibleText(name)}`,
  };
}

/** The last name of a path as a model writes it: with `/` everywhere, or as the system does. */
export function nameOf(path: string, { separator }: Separated): string {
  const names = path.split(separator === '/' ? '/' : /[\\/]/);
  return names.findLast((name) => name !== '') ?? path;
}

/** A drive ends with a separator already. */
function asFolder({ resolved }: Place, { separator }: Separated): string {
  return resolved.endsWith(separator) ? resolved : resolved + separator;
}
