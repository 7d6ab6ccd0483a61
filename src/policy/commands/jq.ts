const FIELD = String.raw`\.(?:[A-Za-z_]\w*|"[\w ./@-]*")?`;
const INDEX = String.raw`\[(?:-?\d+|-?\d*:-?\d*|"[\w ./@-]*")?\]`;
/** `.a.b`, `.[0]`, `.a[].b?` */
const FIELDS = String.raw`(?:${FIELD}(?:(?:${FIELD})|${INDEX}|\?){0,20})`;
const LITERAL = String.raw`(?:"[^"\\]*"|-?\d+(?:\.\d+)?|true|false|null)`;
const SELECT = String.raw`select\( ?${FIELDS} ?(?:[=!]=|[<>]=?) ?${LITERAL} ?\)`;
const STEP = new RegExp(`^(?:${FIELDS}|(?:length|keys)(?:\\[\\])?|${SELECT})$`, 'u');

/** Whether a program for jq consists of field paths, `|`, `length`, `keys` and `select(.a == "b")` only. */
export function isFieldPath(program: string): boolean {
  // A `|` in a literal splits it, and its parts fit nothing.
  return program.length <= LONGEST && program.split('|').every((step) => STEP.test(step.trim()));
}

const LONGEST = 500;
const PLACE =
  /^\{(?:range )?[@$]?(?:\.?[A-Za-z_][\w-]*|\[(?:\*|-?\d+|-?\d*:-?\d*|'[\w.-]*')\]|\.)+\}$|^\{end\}$|^\{"(?:[^"\\{}]|\\[nt])*"\}$/u;

/** Whether the value of `-o` of kubectl prints fields only: `jsonpath={.items[*].metadata.name}`. */
export function isFieldTemplate(value: string): boolean {
  const [, template] = /^jsonpath=(.+)$/su.exec(value) ?? [];
  if (template === undefined || template.length > LONGEST) return false;
  return (template.match(/\{[^{}]*\}|[^{}]+|[{}]/gu) ?? []).every((part) =>
    part.startsWith('{') ? PLACE.test(part) : /^[^{}]*$/u.test(part) && part !== '}',
  );
}
