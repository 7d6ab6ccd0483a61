/** Where a value is in a text. */
export interface JsonSpan {
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}

/** The members of the object that begins here, in a text that `JSON.parse` has accepted. */
export function memberSpans(text: string, { start }: JsonSpan): ReadonlyMap<string, JsonSpan> {
  const members = new Map<string, JsonSpan>();
  for (let at = skipBlanks(text, start + 1); text[at] === '"';) {
    const key = stringEnd(text, at);
    const value = spanAt(text, skipBlanks(text, skipBlanks(text, key) + 1));
    // SAFETY: it is a JSON string. Of equal names the last one counts, as for `JSON.parse`.
    members.set(JSON.parse(text.slice(at, key)) as string, value);
    at = afterComma(text, value.end);
  }
  return members;
}

/** The elements of the array that begins here. */
export function elementSpans(text: string, { start }: JsonSpan): readonly JsonSpan[] {
  const elements: JsonSpan[] = [];
  for (let at = skipBlanks(text, start + 1); text[at] !== ']' && at < text.length;) {
    const value = spanAt(text, at);
    elements.push(value);
    at = afterComma(text, value.end);
  }
  return elements;
}

/** The value at the beginning of a text. */
export function rootSpan(text: string): JsonSpan {
  return spanAt(text, skipBlanks(text, 0));
}

function spanAt(text: string, start: number): JsonSpan {
  return { start, end: valueEnd(text, start) };
}

function valueEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  if (text[start] !== '{' && text[start] !== '[') {
    const end = matchFrom(/[\s,\]}]/g, text, start);
    return end < 0 ? text.length : end;
  }
  let depth = 0;
  for (let at = start; at >= 0; at = matchFrom(/["{}[\]]/g, text, at)) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      continue;
    }
    depth += character === '{' || character === '[' ? 1 : -1;
    at++;
    if (depth === 0) return at;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function afterComma(text: string, end: number): number {
  const at = skipBlanks(text, end);
  return text[at] === ',' ? skipBlanks(text, at + 1) : at;
}

function skipBlanks(text: string, start: number): number {
  const end = matchFrom(/[^\s]/g, text, start);
  return end < 0 ? text.length : end;
}

function matchFrom(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? -1;
}
