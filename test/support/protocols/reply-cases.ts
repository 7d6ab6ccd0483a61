import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import type { core } from 'zod';
import type { ToolSpec } from '../../../src/core/words/tool';
import { ReplyCases, type ReplyCase as Case } from '../../../src/host/ui/lab/reply-cases';
import { repository } from '../../hosts/repository';

/** A reply of a model, and its expected result. */
export interface ReplyCase extends Omit<Case, 'tools'> {
  readonly tools: readonly ToolSpec[] | undefined;
}

/** Returns the cases of one protocol from `test/fixtures/replies/<id>.yaml`; none without a valid file. */
export function replyCases(protocol: string): readonly ReplyCase[] {
  const read = readCases(protocol);
  return 'cases' in read ? read.cases : [];
}

/** The source of the cases that `npm run manifest` writes, with what the code makes of them. */
export const MANIFEST_SOURCE = 'written by npm run manifest';

/** Returns what is wrong with the cases of a protocol: no file, only generated cases, or each invalid entry. */
export function problemOfReplies(protocol: string): string | undefined {
  const read = readCases(protocol);
  if ('problem' in read) return read.problem;
  if (read.cases.some(({ from }) => from !== MANIFEST_SOURCE)) return undefined;
  const next = `Check them in ${nameOf(protocol)}, and add one of your own.`;
  return `The protocol ${protocol} has only the replies that \`npm run manifest\` wrote. ${next}`;
}

type ReadCases = { readonly cases: readonly ReplyCase[] } | { readonly problem: string };

function readCases(protocol: string): ReadCases {
  const file = nameOf(protocol);
  if (!existsSync(fileOf(protocol))) {
    const next = `Write ${file}; \`npm run manifest\` starts it.`;
    return { problem: `The protocol ${protocol} has no replies. ${next}` };
  }
  try {
    return { cases: casesIn(read(protocol)) };
  } catch (error) {
    return { problem: `${file}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Throws an error that names an invalid entry. */
export function casesIn(entries: unknown): readonly ReplyCase[] {
  const parsed = ReplyCases.safeParse(entries);
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => wrong(issue, entries)).join('\n'));
  const known = knownTools();
  return parsed.data.map((each) => ({
    ...each,
    tools: each.tools === 'none' ? undefined : each.tools.map((name) => toolOf(name, known)),
  }));
}

function wrong({ path: [number, ...keys], message }: core.$ZodIssue, entries: unknown): string {
  if (typeof number !== 'number') return message;
  const { name } = (entries as readonly { name?: unknown }[])[number] ?? {};
  const entry = typeof name === 'string' ? `"${name}"` : `entry ${number + 1}`;
  return `${entry}: ${[keys.join('.'), message].filter(Boolean).join(': ')}`;
}

function knownTools(): Record<string, Omit<ToolSpec, 'name'>> {
  // SAFETY: the file is part of the tests and written by hand; the cases fail if it is wrong.
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

function nameOf(protocol: string): string {
  return `test/fixtures/replies/${protocol}.yaml`;
}

function fileOf(name: string): string {
  return path.join(repository, nameOf(name));
}
