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

const PRINT = /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/u;
/** Characters that are one byte in every encoding and do not end a command. */
const DELIMITER = /[!-/:<-@[\]^`{-~]/u;
const FLAGS = /^[gip\d]*$/u;

/** Whether a script for `sed -n` prints a range of lines. */
export function isPrintingSed(script: string): boolean {
  return PRINT.test(script);
}

/** Whether a script for sed substitutes text, and nothing else. */
export function isSubstitution(script: string): boolean {
  const delimiter = script[1];
  if (!script.startsWith('s') || delimiter === undefined || !DELIMITER.test(delimiter)) return false;
  // After a line break a second command begins.
  if (script.includes('\n')) return false;
  const parts = splitUnescaped(script.slice(2), delimiter);
  return parts.length === 3 && FLAGS.test(parts[2] ?? '');
}

function splitUnescaped(text: string, delimiter: string): readonly string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === delimiter) parts.push('');
    else parts.push((parts.pop() ?? '') + (character === '\\' ? text.slice(at, ++at + 1) : character));
  }
  return parts;
}
