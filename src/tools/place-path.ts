import type { Place } from './workspace';

/** The path of something below a folder, as a model can use it in the next call. */
export function below(folder: Place, path: string): string {
  if (path === '') return folder.display;
  return folder.display === '.' ? path : `${folder.display.replace(/\/$/, '')}/${path}`;
}
