import { writeFileSync } from 'node:fs';
import { newProtocolFiles } from './protocol-files';

// `npm run manifest`: a new protocol gets its first replies, its section and its row in the README, and is counted there.
for (const [file, text] of Object.entries(newProtocolFiles())) writeFileSync(file, text);
