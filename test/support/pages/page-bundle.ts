import path from 'node:path';
import * as esbuild from 'esbuild';
import { repository } from '../../hosts/repository';

/**
 * Bundles a file of the repository into a script for a page, like the shipped pages. `globalName` holds its exports.
 */
export async function pageBundle(
  file: string,
  more: Pick<esbuild.BuildOptions, 'plugins' | 'globalName'> = {},
): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(repository, file)],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'chrome128',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    ...more,
  });
  return outputFiles[0]?.text ?? '';
}
