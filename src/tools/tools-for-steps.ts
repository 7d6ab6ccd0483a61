import type { Json, JsonObject } from '../base/json';
import { keepLast } from '../base/keep-last';
import { toggleOf, type ToolCallConfig } from '../core/words/config';
import type { JsonSchema } from '../core/words/schema';
import type { Tool, ToolSpec } from '../core/words/tool';
import { withStepResults } from './step-results';

/** A tool as small models know it: few arguments, all required, with the names that coding models were trained on. */
interface Definition {
  readonly name: string;
  /** The wire name of the tool that runs. */
  readonly tool: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** As in `ToolSpec`. */
  readonly names?: ToolSpec['names'];
  /** From the names here to those of the tool, where they differ. */
  readonly renames?: Readonly<Record<string, string>>;
  /** What the tool needs besides. */
  readonly fixed?: JsonObject;
}

const DEFINITIONS: readonly Definition[] = [
  {
    name: 'read_file',
    tool: 'read_file',
    description: 'Shows a file.',
    arguments: { path: 'The file.' },
    names: { path: 'unread' },
  },
  {
    name: 'list_files',
    tool: 'read_folder',
    description: 'Lists the files in a folder.',
    arguments: { path: 'The folder; . for all.' },
    names: { path: 'folder' },
    fixed: { depth: 3 },
  },
  {
    name: 'search',
    tool: 'search_text',
    description: 'Finds the lines that contain a text, in all files.',
    arguments: { text: 'The text.' },
    renames: { text: 'query' },
  },
  {
    name: 'write_file',
    tool: 'write_file',
    description: 'Writes a whole file, a new one or again.',
    arguments: { path: 'The file.', content: 'The whole text of the file.' },
    fixed: { overwrite: true },
  },
  {
    name: 'replace_lines',
    tool: 'edit_file',
    description: 'Replaces one or more lines of a file.',
    arguments: { path: 'The file.', old: 'The lines as they are in the file.', new: 'The lines instead.' },
    names: { path: 'file', old: 'lines' },
  },
  {
    name: 'append_lines',
    tool: 'edit_file',
    description: 'Adds lines at the end of a file.',
    arguments: { path: 'The file.', lines: 'The lines to add.' },
    names: { path: 'file' },
    renames: { lines: 'new' },
    fixed: { after_line: -1 },
  },
  {
    name: 'run_command',
    tool: 'run_shell_command',
    description: 'Runs a shell command in the project folder.',
    arguments: { command: 'The command.' },
  },
  {
    name: 'delete_file',
    tool: 'delete_path',
    description: 'Deletes a file.',
    arguments: { path: 'The file.' },
    names: { path: 'file' },
  },
  {
    name: 'move_file',
    tool: 'move_path',
    description: 'Moves or renames a file.',
    arguments: { path: 'The file.', to: 'Its new path.' },
    names: { path: 'file' },
    renames: { path: 'from' },
  },
];

/** There are two or three lists at a time: of the user's settings, of agents, of sub-agents. */
const KEPT = 8;

/**
 * The tools for a model that takes one small step at a time, made of those that it may be offered. A tool that the user
 * set to `true`, and tools of servers that are on, stay as they are. Nothing is on demand, so no tool loads another:
 * pass a config with `toolsOnDemand: 'off'` on. Calls, events and files have the wire names of the tools that run.
 */
export function toolsForSteps(
  offered: readonly Tool[],
  { toolToggles, agentTools }: Pick<ToolCallConfig, 'toolToggles' | 'agentTools'>,
): readonly Tool[] {
  return small(offered, toolToggles, agentTools?.toolToggles);
}

/** The same tools give the same objects: the loop compares them. */
const small = keepLast(
  KEPT,
  (
    offered: readonly Tool[],
    toggles: ToolCallConfig['toolToggles'],
    ofAgent: ToolCallConfig['toolToggles'] = {},
  ): readonly Tool[] => {
    const builtIn = (name: string): Tool | undefined =>
      offered.find(({ spec, origin }) => spec.name === name && origin === undefined);
    const read = builtIn('read_file');
    const steps = DEFINITIONS.flatMap((definition) => {
      const tool = builtIn(definition.tool);
      return tool ? [offeredAs(definition, withStepResults(tool, read))] : [];
    });
    const names = new Set(steps.map(({ spec }) => spec.name));
    const beside = offered.filter((tool) => {
      const said = [toggleOf(tool, toggles), toggleOf(tool, ofAgent)];
      if (names.has(tool.spec.name) || said.includes('onDemand')) return false;
      return toggles[tool.spec.name] === true || tool.origin?.type === 'mcp';
    });
    return [...steps, ...beside];
  },
);

function offeredAs(
  { name, description, fixed = {}, renames = {}, names: facts, ...definition }: Definition,
  tool: Tool,
): Tool {
  const names = Object.keys(definition.arguments);
  const ownName = (key: string): string => (Object.hasOwn(renames, key) ? (renames[key] ?? key) : key);
  return {
    ...tool,
    spec: {
      name,
      description,
      parameters: schemaOf(definition.arguments),
      ...(facts && { names: facts }),
      offers: {
        spec: tool.spec,
        toCall: (args) => ({
          ...fixed,
          ...(name === RENAMING && isRenaming(args) && { replace_all: true }),
          ...Object.fromEntries(
            Object.entries(args).map(([key, value]) => [
              ownName(key),
              name === RENAMING && key !== 'path' && isRenaming(args)
                ? trimmed(value)
                : withoutFence(key, value, args['path']),
            ]),
          ),
        }),
        fromCall: (args) => {
          if (name === RENAMING && args['replace_all'] === true && isRenaming(asLines(args)))
            return asLines(args);
          const others = Object.entries(args).filter(([key]) => !names.map(ownName).includes(key));
          const isSaid =
            names.every((each) => Object.hasOwn(args, ownName(each))) &&
            others.every(([key, value]) => fixed[key] === value);
          return isSaid
            ? Object.fromEntries(names.map((each) => [each, args[ownName(each)] ?? null]))
            : undefined;
        },
      },
    },
  };
}

/** Replaces lines; given one name and another, it replaces the name wherever it is in the file. */
const RENAMING = 'replace_lines';

/** A name on a line of its own. */
const NAME_LINE = /^[A-Za-z_$][\w$]{2,}\n$/;

function isRenaming({ old, new: fresh }: JsonObject): boolean {
  return [old, fresh].every((text) => typeof text === 'string' && NAME_LINE.test(text));
}

/** The model sees what it wrote: names on lines of their own. */
function asLines({ path = '', old = '', new: fresh = '' }: JsonObject): JsonObject {
  const lineOf = (text: Json): Json => (typeof text === 'string' ? `${text}\n` : text);
  return { path, old: lineOf(old), new: lineOf(fresh) };
}

function trimmed(value: Json): Json {
  return typeof value === 'string' ? value.trim() : value;
}

/** Arguments that hold parts of files. */
const CONTENTS: readonly string[] = ['content', 'new', 'lines'];

/** Small models put what they write into a code fence, which belongs to no file but Markdown. */
function withoutFence(key: string, value: Json, path: Json | undefined): Json {
  const isMarkdown = typeof path === 'string' && /\.(?:md|mdx|markdown)$/i.test(path);
  if (!CONTENTS.includes(key) || typeof value !== 'string' || isMarkdown) return value;
  const [, inner] = /^\s*```[\w+.-]*[ \t]*\n([^]*?)```\s*$/.exec(value) ?? [];
  return inner === undefined || inner.includes('```') ? value : inner;
}

function schemaOf(args: Readonly<Record<string, string>>): JsonSchema {
  const properties = Object.entries(args).map(
    ([key, text]) => [key, { type: 'string', description: text }] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(args),
    additionalProperties: false,
  };
}
