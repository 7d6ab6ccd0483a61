import { readFile } from 'node:fs/promises';
import type { ToolSpec } from '../../core/tool';
import type { ReplyCase } from './reply-case';

/** The cases that every protocol is tested with, as `esbuild.mjs` puts them into one file. */
export interface ShippedCases {
  /** Tools that cases name. */
  readonly tools: Readonly<Record<string, Omit<ToolSpec, 'name'>>>;
  readonly cases: readonly (ReplyCase & { readonly protocol: string })[];
}

export async function readShippedCases(file: string): Promise<ShippedCases> {
  // SAFETY: the file is built from cases that the tests have checked, and shipped beside this one.
  return JSON.parse(await readFile(file, 'utf8')) as ShippedCases;
}
