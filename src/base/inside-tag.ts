/** The text as it may stand inside a block `<name>…</name>`: nothing in it looks like the end of that. */
export function insideTag(name: string, text: string): string {
  return text.replace(new RegExp(String.raw`<(?=\s*/\s*${name}\b)`, 'gi'), '< ');
}
