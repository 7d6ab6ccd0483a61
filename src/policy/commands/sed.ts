const HARMLESS_OPTIONS: readonly string[] = ['-n', '-E', '-r', '--quiet', '--silent', '--regexp-extended'];
const PRINT = /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/u;
/** Characters that are one byte in every encoding and do not end a command. */
const DELIMITER = /[!-/:<-@[\]^`{-~]/u;
const FLAGS = /^[gip\d]*$/u;

/** The index of the last word with which sed does more than print lines or substitute text; -1 if there is none. */
export function sedBeyondPrinting(words: readonly string[]): number {
  const option = words.findLastIndex(
    (word, at) => at > 0 && word.startsWith('-') && !HARMLESS_OPTIONS.includes(word),
  );
  const script = words.findIndex((word, at) => at > 0 && !word.startsWith('-'));
  const isQuiet = words.some((word) => ['-n', '--quiet', '--silent'].includes(word));
  const isHarmless = script === -1 || isPlain(words[script] ?? '', isQuiet);
  return isHarmless ? option : Math.max(option, script);
}

function isPlain(script: string, isQuiet: boolean): boolean {
  if (isQuiet && PRINT.test(script)) return true;
  const delimiter = script[1];
  if (!script.startsWith('s') || delimiter === undefined || !DELIMITER.test(delimiter)) return false;
  // After a line break a second command begins.
  if (script.includes('\n')) return false;
  const parts = splitUnescaped(script.slice(2), delimiter);
  return parts.length === 3 && FLAGS.test(parts[2] ?? '');
}

function splitUnescaped(text: string, delimiter: string): readonly string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === delimiter) parts.push('');
    else parts.push((parts.pop() ?? '') + (character === '\\' ? text.slice(at, ++at + 1) : character));
  }
  return parts;
}
