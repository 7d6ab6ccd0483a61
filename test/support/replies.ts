import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import type { ToolSpec } from '../../src/core/words/tool';
import { ReplyCases, type ReplyCase as Case } from '../../src/host/lab/reply-cases';
import { repository } from '../hosts/repository';

/** A reply of a model, and what it must be read as. */
export interface ReplyCase extends Omit<Case, 'tools'> {
  readonly tools: readonly ToolSpec[] | undefined;
}

const folder = path.join(repository, 'test/fixtures/replies');

/** The cases of one protocol, out of `test/fixtures/replies/<id>.yaml`; none where there is no such file. */
export function replyCases(protocol: string): ReplyCase[] {
  if (!existsSync(fileOf(protocol))) return [];
  const known = knownTools();
  return ReplyCases.parse(read(protocol)).map((each) => ({
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
  return load(readFileSync(fileOf(name), 'utf8'));
}

function fileOf(name: string): string {
  return path.join(folder, `${name}.yaml`);
}
