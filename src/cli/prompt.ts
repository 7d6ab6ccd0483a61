import { findProtocol } from '../protocols';
import { promptText } from '../protocols/prompt/tool-prompt';
import { builtInSpecs } from './built-in';
import { callable, readToolFile } from './tool-file';
import { knownProtocols, readOptions, rejectWords, required, UsageError } from './command-line';

/** `parley prompt`: what a model is told about the tools. */
export async function prompt(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    protocol: { type: 'string' },
    tools: { type: 'string' },
    short: { type: 'boolean' },
  });
  rejectWords(positionals, 'Give your own tools with --tools FILE.');
  const id = required(values.protocol, '--protocol');
  const protocol = findProtocol(id);
  if (!protocol) throw new UsageError(`There is no protocol "${id}". Use one of: ${knownProtocols()}.`);
  const given = values.tools === undefined ? builtInSpecs() : readToolFile(values.tools);
  const promptForm = values.short ? 'short' : 'full';
  const text = promptText(protocol, callable(protocol, given), promptForm);
  process.stdout.write(`${text}\n`);
  return 0;
}
