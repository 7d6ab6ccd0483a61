import { readFileSync, writeFileSync } from 'node:fs';
import { REFERENCE_FILE, toolReference } from './tool-reference';

// `npm run manifest`: writes what the schemas of the tools say into their page.
writeFileSync(REFERENCE_FILE, toolReference(readFileSync(REFERENCE_FILE, 'utf8')));
