import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { visibleText } from '../base/text';
import { whyNotOver } from '../core/run/offer';
import type { Protocol } from '../core/words/protocol';
import type { ToolSpec } from '../core/words/tool';
import { toolSchema } from '../core/words/tool-schema';
import { UsageError } from './command-line';
import { said } from './language';

const Definition = z.object({
  name: z.string(),
  description: z.string().default(''),
  parameters: z.record(z.string(), z.unknown()).default({}),
  xml_schema: z
    .object({
      tag_name: z.string(),
      mappings: z
        .array(
          z.object({
            param_name: z.string(),
            node_type: z.enum(['attribute', 'element', 'content']).default('element'),
            path: z.string().default('.'),
          }),
        )
        .default([]),
    })
    .optional(),
});

/** A list of tools as OpenAI function definitions, or of the functions alone. */
export const ToolList = z.array(
  z.union([
    z.object({ type: z.literal('function'), function: Definition }).transform((each) => each.function),
    Definition,
  ]),
);

/** The tools of a list; standard error names those whose schema cannot be read. */
export function toSpecs(list: z.output<typeof ToolList>): ToolSpec[] {
  return list.flatMap(({ xml_schema, parameters: given, ...each }) => {
    const parameters = toolSchema(given);
    if (parameters.ok)
      return [{ ...each, parameters: parameters.schema, ...(xml_schema && { xmlSchema: xml_schema }) }];
    process.stderr.write(visibleText(`${said(`${each.name} is left out.`)} ${said(parameters.problem)}\n`));
    return [];
  });
}

export function readToolFile(file: string): ToolSpec[] {
  const checked = ToolList.safeParse(readJson(file));
  if (checked.success) return toSpecs(checked.data);
  throw new UsageError(`${file} is not a list of tools: ${z.prettifyError(checked.error)}`);
}

/** The tools that can be called over a protocol; standard error says why others are left out. */
export function callable(protocol: Protocol, tools: readonly ToolSpec[]): readonly ToolSpec[] {
  return tools.filter((tool) => {
    const why = whyNotOver(protocol, tool);
    if (why !== undefined)
      process.stderr.write(visibleText(`${said(`${tool.name} is left out.`)} ${said(why)}\n`));
    return why === undefined;
  });
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read: ${why}. Check the path, and that it is JSON.`);
  }
}
