import { toolsWithoutFolder } from './built-in';
import { readOptions, rejectWords } from './command-line';

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
