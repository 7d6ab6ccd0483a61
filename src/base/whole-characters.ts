/** Half a surrogate pair is no text: servers refuse it, and files cannot hold it. It becomes a replacement character. */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The same for a value as JSON, where `JSON.stringify` writes such halves as escapes. */
export function wholeJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u(d[89a-f][\da-f]{2})|[^])/g, (escape, half?: string) =>
    half === undefined ? escape : '\ufffd',
  );
}
