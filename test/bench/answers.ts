/** Everything that Markdown has, over and over. */
export function mixedAnswer(size: number): string {
  const section =
    '## A heading\n\nA paragraph with **bold** words, `code` and a [link](https://example.com), long enough to wrap.\n\n' +
    '- one\n- two\n  - three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1;\nexport function f(): number {\n  return a;\n}\n```\n\n' +
    `${'Words of a longer paragraph that goes on and on. '.repeat(12)}\n\n`;
  return section.repeat(Math.ceil(size / section.length)).slice(0, size);
}

/** A fence that is never closed. */
export function codeAnswer(size: number): string {
  const line = 'const value = compute(first, second); // what it is for\n';
  return `\`\`\`ts\n${line.repeat(Math.ceil(size / line.length))}`.slice(0, size);
}
