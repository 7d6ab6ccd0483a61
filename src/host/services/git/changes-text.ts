import type { ChangedFile, RepositoryChanges } from './changes';

/**
 * Changes as text of at most so many tokens. Small diffs are whole, larger ones share what is left; what was cut or left
 * out is named.
 */
export function changesText(
  { files, secretFiles }: RepositoryChanges,
  room: number,
  countTokens: (text: string) => number,
): string {
  const names = [
    ...files.map(({ path }) => path),
    ...secretFiles.map((path) => `${path} (secret, not shown)`),
  ];
  const list = firstLines(
    `Changed files:\n${names.map((name) => `- ${name}`).join('\n')}`,
    room / 4,
    countTokens,
  );
  let left = room - countTokens(list.text) - NOTE_TOKENS;
  const shown = new Map<ChangedFile, string>();
  const cut: string[] = [];
  const bySize = [...files].sort((one, other) => one.diff.length - other.diff.length);
  bySize.forEach((file, index) => {
    const share = Math.max(0, left / (bySize.length - index));
    const { text, lines, all } = firstLines(file.diff, share, countTokens);
    if (lines < all) cut.push(`${file.path} (${lines} of ${all} lines)`);
    left -= countTokens(text);
    shown.set(file, text);
  });
  const diffs = files.map((file) => shown.get(file) ?? '').filter((text) => text !== '');
  const note =
    cut.length === 0 ? [] : [firstLines(`Cut to fit: ${cut.join(', ')}.`, NOTE_TOKENS, countTokens).text];
  return [list.text, ...diffs, ...note].join('\n\n');
}

/** Tokens kept for the names of what was cut. */
const NOTE_TOKENS = 60;

/** As many whole lines as fit; a single long line is cut in itself. */
function firstLines(
  text: string,
  tokens: number,
  countTokens: (text: string) => number,
): { readonly text: string; readonly lines: number; readonly all: number } {
  const all = text.split('\n');
  if (countTokens(text) <= tokens) return { text, lines: all.length, all: all.length };
  let [least, most] = [0, all.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (countTokens(all.slice(0, middle).join('\n')) <= tokens) least = middle;
    else most = middle - 1;
  }
  const whole = all.slice(0, least).join('\n');
  if (least > 0) return { text: whole, lines: least, all: all.length };
  // A token has at most a few characters more than one.
  const part = (all[0] ?? '').slice(0, Math.floor(tokens));
  return { text: countTokens(part) <= tokens ? part : '', lines: 0, all: all.length };
}
