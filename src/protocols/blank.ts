/** White space as models write it between the tokens of a call: zero-width characters count too. */
export function isBlank(char: string): boolean {
  return /[\s\u200b-\u200d\u2060\ufeff]/.test(char);
}
