/**
 * What introduces a name in the languages that models write most; a language that is missing here only loses a
 * question.
 */
const DEFINITION =
  /(?:^|[\s(;{])(?:function\*?|class|def|fn|func|interface|enum|trait|struct|type|const|let|var|export\s+default)\s+([A-Za-z_$][\w$]*)|\bexports\.([A-Za-z_$][\w$]*)\s*=/g;

/** `const { a, b: c } = require('x')`, `import { a as c } from 'x'`, `from x import a, b as c` */
const BROUGHT =
  /\b(?:const|let|var|import)(?:\s+type)?\s*\{([^}]*)\}|^\s*from\s+\S+\s+import\s+\(?([^)\n]*)/gm;

/** The names that a file defines or imports. */
export function definedNames(text: string): ReadonlySet<string> {
  const own = [...text.matchAll(DEFINITION)].map(([, name, exported]) => name ?? exported ?? '');
  const brought = [...text.matchAll(BROUGHT)].flatMap(([, names, pythons]) =>
    (names ?? pythons ?? '').split(',').map((each) => /([A-Za-z_$][\w$]*)\s*$/.exec(each)?.[1] ?? ''),
  );
  return new Set([...own, ...brought].filter(Boolean));
}
