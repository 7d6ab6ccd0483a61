/** A fenced code block whose end has not been seen. */
export interface OpenFence {
  /** What stands behind the marks. */
  readonly info: string;
  readonly indent: number;
  isEnd(line: string): boolean;
  /** An incomplete line that may still become the end. */
  mayBecomeEnd(line: string): boolean;
}

/** Reads the first line of a fenced code block, by the rules of CommonMark. */
export function openFence(line: string): OpenFence | undefined {
  const match = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line);
  if (!match) return undefined;
  const [, blanks = '', fence = '', info = ''] = match;
  const marker = fence.charAt(0);
  const end = new RegExp(`^ {0,3}${marker}{${fence.length},}[ \\t]*$`);
  const start = new RegExp(`^ {0,3}${marker}*[ \\t]*$`);
  return {
    info,
    indent: blanks.length,
    isEnd: (text) => end.test(text),
    mayBecomeEnd: (text) => start.test(text),
  };
}

/** The first word of what stands behind the fence: `ts` in "```ts title=a.ts". */
export function languageOf(info: string): string {
  return /[\w+#.-]+/.exec(info)?.[0].toLowerCase() ?? '';
}
