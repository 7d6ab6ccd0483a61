/** Returns text of this length that does not repeat itself; a different start gives different text. */
export function nonRepeatingText(length: number, beginning = ''): string {
  const words: string[] = [beginning];
  for (let size = beginning.length, at = 1; size <= length; at++) {
    const word = ((at * 48_271) % 2_147_483_647).toString(36);
    words.push(word);
    size += word.length + 1;
  }
  return words.join(' ').slice(0, length);
}
