import type { ToolResult } from '../../core/words/messages';
import type { JsonObject } from '../../base/json';
import { sorry, type Step, type Task } from './task';

/** Parses a plain sentence into a call: `read PATH` and the like. */
export function readSentence(sentence: string): Step | undefined {
  for (const [pattern, build] of SENTENCES) {
    const match = pattern.exec(sentence);
    if (match) return build(match[1] ?? '', match[2] ?? '', match[3] ?? '');
  }
  return undefined;
}

/** Makes one call. Its result is shown if nothing comes after it. */
export function* makeCall(step: Step, isLast: boolean): Task {
  let result = yield step;
  const retry = again(step, result);
  if (retry) result = yield retry;
  if (result.status !== 'success') return sorry(result);
  return { text: isLast ? closing(result) : '' };
}

/** A text that occurs several times is replaced everywhere, after the tool has reported the count. */
function again(step: Step, { status, result }: ToolResult): Step | undefined {
  const count = /\b(\d+) (?:times|places|matches)\b/.exec(result)?.[1];
  if (step.tool !== 'edit_file' || status !== 'error' || count === undefined) return undefined;
  const [edit] = step.arguments.edits as readonly JsonObject[];
  const args = { ...step.arguments, edits: [{ ...edit, expect: Number(count) }] };
  return { ...step, say: `It occurs ${count} times; I replace all of them.`, arguments: args };
}

function closing({ result }: ToolResult): string {
  const shown = result.length > 1_500 ? `${result.slice(0, 1_500)}\n…` : result;
  return `Done. The last result was:\n\n${fenced(shown)}`;
}

/** A fence longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

const SENTENCES: readonly (readonly [RegExp, (a: string, b: string, c: string) => Step])[] = [
  [/^read (\S.*)$/is, (path) => ({ say: `I read ${path}.`, tool: 'read_file', arguments: { path } })],
  [
    /^list(?: (\S.*))?$/is,
    (path) => ({
      say: `I list ${path || 'the folder'}.`,
      tool: 'read_folder',
      arguments: path === '' ? {} : { path },
    }),
  ],
  [
    /^search (\S.*?)(?: in (\S+))?$/is,
    (query, path) => ({
      say: `I search for ${query}.`,
      tool: 'search_text',
      arguments: path === '' ? { query } : { query, path },
    }),
  ],
  [
    /^create (\S+) with (.+)$/is,
    (path, content) => ({ say: `I create ${path}.`, tool: 'write_file', arguments: { path, content } }),
  ],
  [
    /^replace '([^']+)' with '([^']*)' in (\S.*)$/is,
    (old, replacement, path) => ({
      say: `I edit ${path}.`,
      tool: 'edit_file',
      arguments: { path, edits: [{ old, new: replacement }] },
    }),
  ],
  [
    /^run (\S.*)$/is,
    (command) => ({ say: 'I run the command.', tool: 'run_shell_command', arguments: { command } }),
  ],
];
