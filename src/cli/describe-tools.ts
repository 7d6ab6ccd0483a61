import { toolsWithoutFolder, builtInSpecs } from './built-in';
import { readOptions, rejectWords, knownProtocols, required, UsageError } from './command-line';
import type { Protocol } from '../core/words/protocol';
import type { ToolSpec } from '../core/words/tool';
import { findProtocol } from '../protocols';
import { promptText } from '../protocols/prompt/tool-prompt';
import { callable, readToolFile } from './tool-file';
import { toGbnf } from '../protocols/grammar/gbnf';

/** `parley tools`: the built-in tools. */
export async function tools(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { json: { type: 'boolean' } });
  rejectWords(positionals, 'Run "parley tools" to list every tool.');
  const list = toolsWithoutFolder();
  if (values.json) {
    const rows = list.map(({ spec, toolset, method, effect }) => ({
      name: spec.name,
      toolset,
      method,
      qualifiedName: spec.qualifiedName,
      effect,
      description: spec.description,
      parameters: spec.parameters,
    }));
    process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  } else {
    for (const { spec, toolset, effect } of list) {
      process.stdout.write(
        `${spec.name} (${toolset}, ${effect})\n  ${spec.description.replaceAll('\n', '\n  ')}\n`,
      );
    }
  }
  return 0;
}

/** `parley prompt`: what a model is told about the tools. */
export async function prompt(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { ...PROTOCOL_AND_TOOLS, short: { type: 'boolean' } });
  const { protocol, specs } = described(values, positionals);
  const text = promptText(protocol, specs, values.short ? 'short' : 'full');
  process.stdout.write(`${text}\n`);
  return 0;
}

/** `parley grammar`: what a server can hold a reply to. */
export async function grammar(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    ...PROTOCOL_AND_TOOLS,
    schema: { type: 'boolean' },
    needed: { type: 'boolean' },
    thinking: { type: 'boolean' },
  });
  const { protocol, specs } = described(values, positionals);
  if (values.schema) {
    if (!protocol.schema)
      throw new UsageError(`"${protocol.id}" has no schema: only "json" and "envelope" are one JSON object.`);
    process.stdout.write(`${JSON.stringify(protocol.schema(specs).schema)}\n`);
    return 0;
  }
  if (!protocol.grammar)
    throw new UsageError(`"${protocol.id}" has no grammar: the API carries its calls. Pick a text protocol.`);
  const options = {
    isNeeded: values.needed === true,
    ...(values.thinking && { thinking: 'may' as const }),
  };
  process.stdout.write(toGbnf(protocol.grammar(specs, options)));
  return 0;
}

const PROTOCOL_AND_TOOLS = { protocol: { type: 'string' }, tools: { type: 'string' } } as const;

/** The protocol, and the tools that it can call: the built-in ones, or those of `--tools FILE`. */
function described(
  values: { readonly protocol?: string; readonly tools?: string },
  positionals: readonly string[],
): { readonly protocol: Protocol; readonly specs: readonly ToolSpec[] } {
  rejectWords(positionals, 'Give your own tools with --tools FILE.');
  const id = required(values.protocol, '--protocol');
  const protocol = findProtocol(id);
  if (!protocol) throw new UsageError(`There is no protocol "${id}". Use one of: ${knownProtocols()}.`);
  const specs = values.tools === undefined ? builtInSpecs() : readToolFile(values.tools);
  return { protocol, specs: callable(protocol, specs) };
}
