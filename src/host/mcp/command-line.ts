/** The words of a command as people type it; quotes keep blanks, and nothing else stands for something else. */
export function splitCommandLine(text: string): readonly string[] {
  const words = text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g);
  return [...words].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''),
  );
}
