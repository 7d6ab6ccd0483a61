import { readFileSync, writeFileSync } from 'node:fs';
import { toolsPage, REFERENCE_FILE, toolReference, TOOLS_PAGE } from './tool-reference';

// `npm run manifest`: writes the schemas of the tools into their page, and their names into the page for users.
for (const [file, made] of [
  [REFERENCE_FILE, toolReference],
  [TOOLS_PAGE, toolsPage],
] as const)
  writeFileSync(file, made(readFileSync(file, 'utf8')));
