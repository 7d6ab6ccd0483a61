import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import * as z from 'zod';
import type { ToolSpec } from '../../src/core/tool';
import { repository } from '../hosts/repository';

const Case = z.strictObject({
  /** Says what happens: `reads a closing tag inside a string as data`. */
  name: z.string(),
  /** The row of the specification it stands for: its section, and what arrives. */
  from: z.string(),
  reply: z.string(),
  /** `none` (the usual) binds nothing; else names out of `tools.yaml`. */
  tools: z.union([z.literal('none'), z.array(z.string())]).default('none'),
  strictness: z.enum(['strict', 'repair', 'lenient']).default('repair'),
  recover: z.boolean().default(false),
  /** As `summary` writes it. */
  expect: z.string(),
});

/** A reply of a model, and what it must be read as. */
export interface ReplyCase extends Omit<z.infer<typeof Case>, 'tools'> {
  readonly tools: readonly ToolSpec[] | undefined;
}

const folder = path.join(repository, 'test/fixtures/replies');

/** The cases of one protocol, out of `test/fixtures/replies/<id>.yaml`. */
export function replyCases(protocol: string): ReplyCase[] {
  const known = knownTools();
  return z
    .array(Case)
    .parse(read(protocol))
    .map((each) => ({
      ...each,
      tools: each.tools === 'none' ? undefined : each.tools.map((name) => toolOf(name, known)),
    }));
}

function knownTools(): Record<string, Omit<ToolSpec, 'name'>> {
  // SAFETY: the file belongs to the tests and is typed by hand; the cases fail where it is wrong.
  return read('tools') as Record<string, Omit<ToolSpec, 'name'>>;
}

function toolOf(name: string, known: Record<string, Omit<ToolSpec, 'name'>>): ToolSpec {
  const tool = known[name];
  if (!tool) throw new Error(`There is no tool "${name}" in tools.yaml.`);
  return { name, ...tool };
}

function read(name: string): unknown {
  return load(readFileSync(path.join(folder, `${name}.yaml`), 'utf8'));
}
