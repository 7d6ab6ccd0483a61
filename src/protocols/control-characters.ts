import { isJsonList, type Json, type JsonObject } from '../base/json';
import type { Diagnostic } from '../core/diagnostic';

/** What arguments are called that say where something is. */
const PATH_KEY = /^(from|to|cwd|glob)$|(path|file|folder|directory|dir)s?$/i;
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** `C:\temp` in JSON is read as a tab: nothing is wrong with the form, but no path holds such characters. */
export function controlCharacterNotes(
  span: { readonly start: number; readonly end: number },
  args: JsonObject,
): Diagnostic[] {
  return Object.entries(args)
    .filter(([key, value]) => PATH_KEY.test(key) && holdsControlCharacter(value))
    .map(([key]) => ({
      code: 'control-character',
      level: 'warning',
      message: `The argument "${key}" holds a control character.`,
      hint: 'Write a backslash in JSON as \\\\, or use forward slashes.',
      start: span.start,
      end: span.end,
    }));
}

function holdsControlCharacter(value: Json): boolean {
  if (isJsonList(value)) return value.some(holdsControlCharacter);
  return typeof value === 'string' && CONTROL_CHARACTER.test(value);
}
