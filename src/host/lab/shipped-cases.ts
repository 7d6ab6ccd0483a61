import { readFile } from 'node:fs/promises';
import type { ToolSpec } from '../../core/tool';
import type { CaseReading } from './parse-job';
import type { ReplyCase } from './reply-case';

/** The cases that every protocol is tested with, as `esbuild.mjs` puts them into one file. */
export interface ShippedCases {
  /** Tools that cases name. */
  readonly tools: Readonly<Record<string, Omit<ToolSpec, 'name'>>>;
  readonly cases: readonly ShippedCase[];
}

type ShippedCase = ReplyCase & { readonly protocol: string };

export async function readShippedCases(file: string): Promise<ShippedCases> {
  // SAFETY: the file is built from cases that the tests have checked, and shipped beside this one.
  return JSON.parse(await readFile(file, 'utf8')) as ShippedCases;
}

/** How a case is read. */
export function caseReading(number: number, each: ShippedCase, known: ShippedCases['tools']): CaseReading {
  const { protocol, reply, tools, strictness, recover, expect } = each;
  const specs = tools === 'none' ? [] : tools.flatMap((name) => specOf(name, known) ?? []);
  return { number, reading: { reply, protocol, chunk: 0, tools: specs, strictness, recover }, expect };
}

export function specOf(name: string, known: ShippedCases['tools']): ToolSpec | undefined {
  const tool = Object.hasOwn(known, name) ? known[name] : undefined;
  return tool && { name, ...tool };
}
