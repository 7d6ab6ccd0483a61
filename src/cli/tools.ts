import { builtInTools } from './built-in';
import { readOptions } from './usage';

/** `parley tools`: the built-in tools. */
export async function tools(args: string[]): Promise<number> {
  const { values } = readOptions(args, { json: { type: 'boolean' } });
  const list = builtInTools();
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
