import { findProtocol } from '../protocols';
import { toGbnf } from '../protocols/grammar/gbnf';
import { builtInSpecs } from './built-in';
import { knownProtocols, readOptions, rejectWords, required, UsageError } from './command-line';
import { callable, readToolFile } from './tool-file';

/** `parley grammar`: what a server can hold a reply to. */
export async function grammar(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    protocol: { type: 'string' },
    tools: { type: 'string' },
    schema: { type: 'boolean' },
    needed: { type: 'boolean' },
    thinking: { type: 'boolean' },
  });
  rejectWords(positionals, 'Give your own tools with --tools FILE.');
  const id = required(values.protocol, '--protocol');
  const protocol = findProtocol(id);
  if (!protocol) throw new UsageError(`There is no protocol "${id}". Use one of: ${knownProtocols()}.`);
  const given = values.tools === undefined ? builtInSpecs() : readToolFile(values.tools);
  if (values.schema) {
    if (!protocol.schema)
      throw new UsageError(`"${id}" has no schema: only "json" and "envelope" are one JSON object.`);
    process.stdout.write(`${JSON.stringify(protocol.schema(callable(protocol, given)).schema)}\n`);
    return 0;
  }
  if (!protocol.grammar)
    throw new UsageError(`"${id}" has no grammar: the API carries its calls. Pick a text protocol.`);
  const options = {
    isNeeded: values.needed === true,
    ...(values.thinking && { thinking: 'may' as const }),
  };
  process.stdout.write(toGbnf(protocol.grammar(callable(protocol, given), options)));
  return 0;
}
