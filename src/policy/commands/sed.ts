const PRINT = /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/u;
/** Characters that are one byte in every encoding and do not end a command. */
const DELIMITER = /[!-/:<-@[\]^`{-~]/u;
const FLAGS = /^[gip\d]*$/u;

/** Whether a script for `sed -n` prints a range of lines. */
export function isPrintingSed(script: string): boolean {
  return PRINT.test(script);
}

/** Whether a script for sed substitutes text, and nothing else. */
export function isSubstitution(script: string): boolean {
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
