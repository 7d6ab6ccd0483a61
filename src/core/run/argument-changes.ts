import type { Json, JsonObject } from '../../base/json';

/** Longer values are cut: the model knows what it wrote, and the result shows the effect. */
const LONGEST = 300;

/** Tells the model what the user changed about its call before it ran. */
export function changedArguments(written: JsonObject, edited: JsonObject): string {
  const keys = [...new Set([...Object.keys(written), ...Object.keys(edited)])];
  const changes = keys.flatMap((key) => {
    const [before, after] = [own(written, key), own(edited, key)];
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [`${key}: ${shown(after)}`];
  });
  if (changes.length === 0) return '';
  return `The user changed these arguments before the call ran:\n${changes.join('\n')}\n\n`;
}

function own(values: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function shown(value: Json | undefined): string {
  if (value === undefined) return '(left out)';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}
