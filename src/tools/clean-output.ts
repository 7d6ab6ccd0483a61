import { visibleText } from '../base/visible-text';

/**
 * What a terminal would show in the end: without colours and other control sequences, of a progress bar only its last
 * state. Whatever is left of invisible characters is drawn.
 */
export function cleanOutput(output: string): string {
  const plain = output.replace(CONTROL_SEQUENCE, '');
  const lines = plain.split('\n').map((line) => backspaced(lastState(line)));
  return visibleText(lines.join('\n'));
}

// CSI, OSC and the other strings up to their end, and sequences of two or three characters (ECMA-48).
const CONTROL_SEQUENCE =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

/** A carriage return goes back to the beginning of the line, and what follows is drawn over it. */
function lastState(line: string): string {
  if (!line.includes('\r')) return line;
  return line.split('\r').findLast((state) => state !== '') ?? '';
}

function backspaced(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
