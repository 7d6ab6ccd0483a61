const LONGEST = 300;

/** The first line that says something, cut where it gets long. */
export function firstLine(text: string): string {
  const line = /[^\r\n]+/.exec(text.trimStart())?.[0] ?? '';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
