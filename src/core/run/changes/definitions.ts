/**
 * What introduces a name in the languages that models write most; a language that is missing here only loses a
 * question.
 */
const DEFINITION =
  /(?:^|[\s(;{])(?:function\*?|class|def|fn|func|interface|enum|trait|struct|type|const|let|var|export default)\s{1,9}([A-Za-z_$][\w$]{0,99})|\bexports\.([A-Za-z_$][\w$]{0,99})\s{0,9}=/g;

/** The bounds keep it linear on texts that no one would write. `const { a, b: c } = require('x')`, `import { a as c } from 'x'`, `from x import a, b as c` */
const BROUGHT =
  /\b(?:const|let|var|import)(?: type)?\s{0,9}\{([^{}]{0,2000})\}|^[ \t]{0,99}from [^\s]{1,200} import \(?([^()\n]{0,2000})/gm;

/** The names that a file defines or imports. */
export function definedNames(text: string): ReadonlySet<string> {
  const own = [...text.matchAll(DEFINITION)].map(([, name, exported]) => name ?? exported ?? '');
  const brought = [...text.matchAll(BROUGHT)].flatMap(([, names, pythons]) =>
    (names ?? pythons ?? '').split(',').map((each) => /([A-Za-z_$][\w$]*)$/.exec(each.trimEnd())?.[1] ?? ''),
  );
  return new Set([...own, ...brought].filter(Boolean));
}
