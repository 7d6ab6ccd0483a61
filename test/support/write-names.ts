import { writeFileSync } from 'node:fs';
import { NAMES_FILE, protocolNamesText } from './protocol-names';

// `npm run manifest`: writes the names of the protocols, which the manifest is made of.
void protocolNamesText().then((text) => writeFileSync(NAMES_FILE, text));
