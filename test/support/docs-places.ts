import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DocsPlace } from '../../src/manifest/docs';
import { repository } from '../hosts/repository';

/** The places in the documentation that texts of package.json link to, in English and in translations. */
export function docsPlaces(): readonly DocsPlace[] {
  const texts = ['package.nls.json', 'package.nls.zh-cn.json']
    .map((file) => readFileSync(path.join(repository, file), 'utf8'))
    .join('\n');
  const links = new Set(
    [...texts.matchAll(/command:parley\.openDocs\?([^)\s"]+)\)/g)].map(([, to = '']) => to),
  );
  // SAFETY: the arguments of the command, written by `docsLink`.
  return [...links].map((to) => JSON.parse(decodeURIComponent(to)) as DocsPlace);
}
