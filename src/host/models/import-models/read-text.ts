import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { limits } from '../../../base/limits';
import { readYaml } from '../../../node/yaml';

/** Why nothing can be read from a file. `said`: by the parser, in English. */
export type FileProblem =
  | { readonly why: 'empty' | 'deep' | 'large' | 'closed' | 'foreign' }
  | { readonly why: 'malformed'; readonly said: string };

/** What a text holds, or why nothing can be read from it. */
export type ReadText = { readonly value: unknown } | { readonly problem: FileProblem };

/** A text of JSON, also with comments, or of YAML, by the name of its file. Never throws. */
export function readText(name: string, text: string): ReadText {
  const plain = text.replace(/^\ufeff/, '');
  if (plain.trim() === '') return { problem: { why: 'empty' } };
  const isYaml = /\.ya?ml$/i.test(name);
  // Both parsers call themselves for each level.
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

/** Counts brackets wherever they stand, also in texts: too many open ones are no file of these programs. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > limits.importDepth) return true;
  }
  return false;
}
