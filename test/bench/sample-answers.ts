/** Every Markdown construct, again and again with different words: a reply that repeats itself would be stopped. */
export function mixedAnswer(size: number): string {
  const word = words();
  const some = (count: number): string => Array.from({ length: count }, word).join(' ');
  const section = (): string =>
    `## ${some(2)}\n\nA paragraph with **${some(2)}** words, \`${word()}\` and a [${word()}](https://example.com), ${some(6)}.\n\n` +
    `- ${word()}\n- ${word()}\n  - ${word()}\n\n| ${word()} | ${word()} |\n|---|---|\n| ${word()} | ${word()} |\n\n` +
    `\`\`\`ts\nconst ${word()} = '${word()}';\nexport function ${word()}(): number {\n  return ${word()};\n}\n\`\`\`\n\n` +
    `${some(90)}.\n\n`;
  return filled(size, section);
}

/** A fence that is never closed. */
export function codeAnswer(size: number): string {
  const word = words();
  return `\`\`\`ts\n${filled(size, () => `const ${word()} = ${word()}(${word()}, ${word()}); // ${word()} it is for\n`)}`.slice(
    0,
    size,
  );
}

function filled(size: number, part: () => string): string {
  let text = '';
  while (text.length < size) text += part();
  return text.slice(0, size);
}

/** Generated words, the same in each run. */
function words(): () => string {
  let state = 1;
  return () => {
    // Park–Miller generator.
    state = (state * 48_271) % 2_147_483_647;
    return `w${(state % 2_000_000).toString(36)}`;
  };
}
