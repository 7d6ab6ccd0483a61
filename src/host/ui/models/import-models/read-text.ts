import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { limits } from '../../../../base/limits';
import { readYaml } from '../../../../node/yaml';

/** Why a file cannot be read. `said`: by the parser, in English. */
export type FileProblem =
  | { readonly why: 'empty' | 'deep' | 'large' | 'closed' | 'foreign' }
  | { readonly why: 'malformed'; readonly said: string };

/** The parsed text, or why it cannot be parsed. */
export type ReadText = { readonly value: unknown } | { readonly problem: FileProblem };

/** Parses JSON with comments, or YAML, by file name. Never throws. */
export function readText(name: string, text: string): ReadText {
  const plain = text.replace(/^\ufeff/, '');
  if (plain.trim() === '') return { problem: { why: 'empty' } };
  const isYaml = /\.ya?ml$/i.test(name);
  // Both parsers recurse for each level.
  if (isDeep(plain)) return { problem: { why: 'deep' } };
  try {
    const read = isYaml ? readYaml(plain) : readJson(plain);
    return 'value' in read ? read : { problem: { why: 'malformed', said: read.problem } };
  } catch (error) {
    if (error instanceof RangeError) return { problem: { why: 'deep' } };
    throw error;
  }
}

function readJson(text: string): ReturnType<typeof readYaml> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return { value };
  const line = text.slice(0, first.offset).split('\n').length;
  return { problem: `${printParseErrorCode(first.error)} in line ${line}` };
}

/** Counts all brackets, even in strings: with too many open ones the file is from no supported program. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > limits.importDepth) return true;
  }
  return false;
}
