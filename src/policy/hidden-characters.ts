/** Characters that turn the direction of the text around them: what is read is not what is there. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Control characters, line separators and halves of surrogate pairs. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Takes no place on the screen: format, tag and filler characters, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Looks like a blank, but no program takes it for one; or has no agreed look at all. */
const BLANK_OR_UNKNOWN = /[\u2800\p{Co}\p{Cn}]|(?! )\p{Zs}/u;

export function hasControlOrDirection(text: string): boolean {
  return CONTROL.test(text) || DIRECTION.test(text);
}

/** Whether the text shows anything else than what is in it. Newline and tab are allowed. */
export function hasHidden(text: string): boolean {
  const rest = text.replace(/[\n\t]/g, '');
  return hasControlOrDirection(rest) || BLANK_OR_UNKNOWN.test(rest) || removeInvisible(rest) !== rest;
}

export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
