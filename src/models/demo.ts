import type { JsonObject } from '../base/json';
import type { ToolResult, Turn } from '../core/words/messages';
import type { Conversation, Model } from '../core/words/model';
import type { RenderedPart } from '../core/words/protocol';
import { LOAD_TOOLS } from '../core/words/tool';
import { scriptedModel, type RenderReply } from './scripted';

/** A scripted stand-in for a model: it follows a few plain sentences, needs no key and no network. */
export function demoModel(render: RenderReply, pauseMs: number): Model {
  return scriptedModel({ name: 'Demo (scripted)', script: demoScript, render, pauseMs });
}

const HELP = `I am the demo: a script, not a language model. I follow sentences like these, joined by "then":

- \`read notes.txt\`
- \`list\` or \`list src\`
- \`search TODO\` or \`search TODO in src\`
- \`create hello.txt with Hello there\`
- \`replace 'a' with 'b' in notes.txt\`
- \`run git status\`

Pick another model below to work with a real one.`;

interface Step {
  readonly say: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Says what comes next: one step of the user's sentence at a time, and a closing word when all are done. */
export function demoScript({ turns, tools, loaded = [] }: Conversation): readonly RenderedPart[] {
  const asked = turns.findLastIndex((turn) => turn.type === 'user');
  const request = turns[asked];
  const steps = request?.type === 'user' ? readSteps(request.text) : undefined;
  if (!steps) return [{ type: 'text', text: HELP }];
  const results = turns
    .slice(asked + 1)
    .flatMap(resultsOf)
    .filter(({ defines }) => defines === undefined);
  const last = results.at(-1);
  if (last && last.status !== 'success')
    return again(steps, results, last) ?? [{ type: 'text', text: sorry(last) }];
  const done = results.filter((result) => result.status === 'success').length;
  const step = steps[done];
  if (!step) return [{ type: 'text', text: closing(results) }];
  const isDefined = (name: string): boolean => [...tools, ...loaded].some((tool) => tool.name === name);
  if (isDefined(LOAD_TOOLS) && !isDefined(step.tool))
    return call(
      { say: `I ask for ${step.tool}.`, tool: LOAD_TOOLS, arguments: { names: [step.tool] } },
      turns.length,
    );
  return call(step, results.length);
}

function resultsOf(turn: Turn): readonly ToolResult[] {
  return turn.type === 'results' ? turn.results : [];
}

function call(step: Step, round: number): readonly RenderedPart[] {
  return [
    { type: 'text', text: step.say },
    { type: 'call', call: { id: `demo_${round + 1}`, name: step.tool, arguments: step.arguments } },
  ];
}

/** A text that stands in several places is replaced in all of them, once the tool has said how many there are. */
function again(
  steps: readonly Step[],
  results: readonly ToolResult[],
  last: ToolResult,
): readonly RenderedPart[] | undefined {
  const step = steps[results.filter((result) => result.status === 'success').length];
  const failures = results.filter((result) => result.status !== 'success').length;
  const count = /\b(\d+) (?:times|places|matches)\b/.exec(last.result)?.[1];
  if (step?.tool !== 'edit_file' || last.status !== 'error' || failures > 1 || count === undefined)
    return undefined;
  const [edit] = step.arguments.edits as readonly JsonObject[];
  const args = { ...step.arguments, edits: [{ ...edit, expect: Number(count) }] };
  return call(
    { ...step, say: `It stands there ${count} times; I replace all of them.`, arguments: args },
    results.length,
  );
}

function closing(results: readonly ToolResult[]): string {
  const last = results.at(-1);
  if (!last) return HELP;
  const shown = last.result.length > 1_500 ? `${last.result.slice(0, 1_500)}\n…` : last.result;
  return `Done. The last result was:\n\n${fenced(shown)}`;
}

function sorry(result: ToolResult): string {
  return `I stopped, because \`${result.toolName}\` did not run: ${result.result}`;
}

/** A fence longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** `undefined` when the sentence, or a part of it, is none that the demo follows. */
function readSteps(text: string): readonly Step[] | undefined {
  const steps = splitSteps(text.trim()).map(readStep);
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

/** Splits at `then`, but not inside quotes. */
function splitSteps(text: string): string[] {
  const steps = [''];
  for (const piece of text.split(/('[^']*'|\s+then\s+)/)) {
    if (/^\s+then\s+$/.test(piece)) steps.push('');
    else steps.push(`${steps.pop() ?? ''}${piece}`);
  }
  return steps;
}

function readStep(sentence: string): Step | undefined {
  for (const [pattern, build] of SENTENCES) {
    const match = pattern.exec(sentence.trim());
    if (match) return build(match[1] ?? '', match[2] ?? '', match[3] ?? '');
  }
  return undefined;
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
