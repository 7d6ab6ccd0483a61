/** So many characters of text that does not repeat itself; others for another beginning. */
export function lengthy(length: number, beginning = ''): string {
  const words: string[] = [beginning];
  for (let size = beginning.length, at = 1; size <= length; at++) {
    const word = ((at * 48_271) % 2_147_483_647).toString(36);
    words.push(word);
    size += word.length + 1;
  }
  return words.join(' ').slice(0, length);
}
