/**
 * What introduces a name in the languages that models write most; a language that is missing here only loses a
 * question.
 */
const DEFINITION =
  /(?:^|[\s(;{])(?:function\*?|class|def|fn|func|interface|enum|trait|struct|type|const|let|var|export\s+default)\s+([A-Za-z_$][\w$]*)|\bexports\.([A-Za-z_$][\w$]*)\s*=/g;

/** The names that a file defines. */
export function definedNames(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(DEFINITION)].map(([, name, exported]) => name ?? exported ?? ''));
}
