import { dump, load, YAMLException } from 'js-yaml';

/**
 * Parses a YAML text: returns its value or why it cannot be parsed. `firstLine` is the number of its first line if it
 * is part of a file.
 */
export function readYaml(
  text: string,
  firstLine = 1,
): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: load(text) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark ? ` in line ${error.mark.line + firstLine}` : '';
    return { problem: `${error.reason}${line}` };
  }
}

/** Formats a value as readable YAML: long texts as blocks, no line wrapping. */
export function writeYaml(value: unknown): string {
  return dump(value, { lineWidth: -1, noRefs: true });
}
