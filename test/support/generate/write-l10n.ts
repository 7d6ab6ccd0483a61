import { writeFileSync } from 'node:fs';
import { toolsWithoutFolder } from '../../../src/cli/built-in';
import { buildManifest } from '../../../src/manifest/contributes';
import { bundleFile, manifestFile, readTexts, textsInSources, untranslated } from './l10n';

// `npm run l10n`: updates the translations to the current keys, with an empty text for each new one. `npm run l10n --
// --strict`: writes nothing, and fails if a translation is missing.
const spoken = textsInSources();
if (process.argv.includes('--strict')) {
  const missing = untranslated(spoken);
  if (missing.length > 0) console.error(`Not translated into Chinese:\n${missing.join('\n')}`);
  process.exitCode = missing.length > 0 ? 1 : 0;
} else {
  const known = readTexts(bundleFile);
  const used = new Set(spoken.keys.map(({ text }) => text));
  for (const key of Object.keys(known)) if (spoken.others.has(key)) used.add(key);
  write(bundleFile, [...used].sort(), known);
  write(manifestFile, Object.keys(buildManifest(toolsWithoutFolder()).texts), readTexts(manifestFile));
}

function write(file: string, wanted: readonly string[], texts: Readonly<Record<string, string>>): void {
  const entries = wanted.map((key) => [key, texts[key] ?? '']);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`);
  const empty = entries.filter(([, text]) => text === '').length;
  console.log(`${file}: ${entries.length} texts, ${empty} without a translation`);
}
