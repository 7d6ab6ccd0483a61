/** Whole lines from the beginning, as many as fit; of a first line that does not, its beginning. */
export function firstBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const kept = whole(Buffer.from(text).subarray(0, most).toString());
  const lastLine = kept.lastIndexOf('\n');
  return lastLine > 0 ? kept.slice(0, lastLine) : kept;
}

/** Whole lines up to the end, as many as fit; of a last line that does not, its end. */
export function lastBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  const kept = whole(bytes.subarray(bytes.length - most).toString());
  const firstLine = kept.indexOf('\n');
  return firstLine >= 0 && firstLine < kept.length - 1 ? kept.slice(firstLine + 1) : kept;
}

/** Without the signs that the pieces of a character which was cut have become. */
function whole(text: string): string {
  return text.replace(/^\ufffd{1,3}|\ufffd{1,3}$/g, '');
}
