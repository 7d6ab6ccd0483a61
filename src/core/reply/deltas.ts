import type { ModelDelta } from '../words/model';

/** What a delta adds to the raw reply. */
export function rawText(delta: ModelDelta): string {
  if (delta.type === 'text') return delta.text;
  return delta.type === 'tool-call' ? (delta.arguments ?? '') : '';
}

/** Joins adjacent texts. */
export function joinedTexts(deltas: readonly ModelDelta[]): readonly ModelDelta[] {
  const all: ModelDelta[] = [];
  for (const delta of deltas) {
    const last = all.at(-1);
    const isSame = (delta.type === 'text' || delta.type === 'reasoning') && last?.type === delta.type;
    if (isSame) all[all.length - 1] = { ...delta, text: last.text + delta.text };
    else all.push(delta);
  }
  return all;
}
