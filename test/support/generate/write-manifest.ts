import { readFileSync, writeFileSync } from 'node:fs';
import { toolsWithoutFolder } from '../../../src/cli/built-in';
import { buildManifest } from '../../../src/manifest/contributes';
import { mcpFileSchema } from '../../../src/manifest/mcp';

// `npm run manifest`: writes the generated parts into package.json and package.nls.json, and the schema of `.mcp.json`.
const manifest = buildManifest(toolsWithoutFolder());
// SAFETY: the project's own package.json is an object.
const description = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
writeFileSync('package.json', `${JSON.stringify({ ...description, ...manifest.package }, undefined, 2)}\n`);
writeFileSync('package.nls.json', `${JSON.stringify(manifest.texts, undefined, 2)}\n`);
writeFileSync('media/mcp.schema.json', `${JSON.stringify(mcpFileSchema(), undefined, 2)}\n`);
