/** The characters that `\w` matches. */
export function wordSet(isAscii: boolean): string {
  return isAscii ? '0-9A-Za-z_' : '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
}

/** Returns the name that JavaScript uses, where `Greek` is the value of a property; `undefined` if it is unknown. */
export function propertyName(name: string): string | undefined {
  const plain = name.replace(/\s/g, '');
  const spelled = plain.charAt(0).toUpperCase() + plain.slice(1);
  return [plain, spelled, `Script=${plain}`, `Script=${spelled}`].find((form) => {
    try {
      return /^[\w=]+$/.test(form) && new RegExp(`\\p{${form}}`, 'v');
    } catch {
      // JavaScript has no other way to check a name.
      return false;
    }
  });
}

/** The classes `[:alpha:]` and the like. */
export const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\u{0}-\\u{7f}',
  blank: '\\t\\u{20}',
  cntrl: '\\u{0}-\\u{1f}\\u{7f}',
  digit: '0-9',
  graph: '\\u{21}-\\u{7e}',
  lower: 'a-z',
  print: '\\u{20}-\\u{7e}',
  punct: '\\u{21}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{60}\\u{7b}-\\u{7e}',
  space: '\\t-\\r\\u{20}',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};
