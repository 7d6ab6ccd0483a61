/**
 * Makes invisible characters visible as escapes: `a⟨U+202E⟩b`. These are direction and format controls, zero-width and
 * blank letters, C0 and C1 controls, tag characters and lone surrogates. Tabs, line ends, and the joiners and selectors
 * inside emoji and some scripts stay. Linear, never throws.
 */
export function visibleText(text: string): string {
  return SUSPECT.test(text) ? text.replace(TOKEN, (token, kept?: string) => kept ?? drawn(token)) : text;
}

/** The same for a name, which is one line: its tabs and line breaks are made visible too. */
export function visibleName(name: string): string {
  return visibleText(name).replace(/[\t\n\r]/gu, drawn);
}

const DRAWN = String.raw`\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`;

/** Most texts contain none of these and are returned unchanged. */
const SUSPECT = new RegExp(String.raw`[${DRAWN}\ud800-\udfff]`);

/** One pictograph as a font draws it: with its selector and its skin tone. */
const PICTOGRAPH = String.raw`\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?`;

/** Letters that Persian, Hindi and others can join or separate only with these characters. */
const JOINING = [
  ...['Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada', 'Malayalam'],
  ...['Oriya', 'Sinhala', 'Syriac', 'Tamil', 'Telugu'],
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

const KEPT = [
  String.raw`\r\n`,
  String.raw`${PICTOGRAPH}(?:\u200d${PICTOGRAPH})*`,
  String.raw`[0-9#*]\ufe0f\u20e3`,
  String.raw`(?<=[${JOINING}])[\u200c\u200d](?=[${JOINING}])`,
].join('|');

const TOKEN = new RegExp(
  String.raw`(${KEPT})|[${DRAWN}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Surrogate}]`,
  'gu',
);

function drawn(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * Escapes characters that only serve to hide text from people or to control a terminal: tag characters, escapes and
 * other controls. For models, which read everything else unchanged.
 */
export function withoutHiddenText(text: string): string {
  return HIDING.test(text) ? text.replace(EACH_HIDING, drawn) : text;
}

const HIDING_SET = String.raw`[\0-\x08\x0e-\x1f\x7f-\x9f\u{e0000}-\u{e007f}]`;
const HIDING = new RegExp(HIDING_SET, 'u');
const EACH_HIDING = new RegExp(HIDING_SET, 'gu');

/** Replaces half surrogate pairs, which servers refuse and files cannot contain. */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The same for a value as JSON, in which `JSON.stringify` writes such halves as escapes. */
export function wholeJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u(d[89a-f][\da-f]{2})|[^])/g, (escape, half?: string) =>
    half === undefined ? escape : '\ufffd',
  );
}

/** Characters that change the direction of the text around them, so that it reads differently than it is. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Control characters, line separators and halves of surrogate pairs. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Has no width on the screen: format, tag and filler characters, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Looks like a blank that programs do not treat as one, or has no defined appearance. */
const BLANK_OR_UNKNOWN = /[\u2800\p{Co}\p{Cn}]|(?! )\p{Zs}/u;

export function hasControlOrDirection(text: string): boolean {
  return CONTROL.test(text) || DIRECTION.test(text);
}

/** Whether the text looks different from its content. Line breaks and tabs are allowed. */
export function hasHidden(text: string): boolean {
  const rest = text.replace(/[\n\t]/g, '');
  return hasControlOrDirection(rest) || BLANK_OR_UNKNOWN.test(rest) || removeInvisible(rest) !== rest;
}

export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/**
 * A third-party text for a notification. There, `[label](command:…)` is a link with which VS Code runs any command; a
 * blank between label and address keeps it text.
 */
export function noticeText(text: string): string {
  return visibleText(text).replaceAll('](', '] (');
}
