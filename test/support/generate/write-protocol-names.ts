import { writeFileSync } from 'node:fs';
import { MARKERS_FILE, markersText, NAMES_FILE, protocolNamesText } from './protocol-names';

// `npm run manifest`: writes the names of the protocols, which the manifest uses, and their markers.
void protocolNamesText().then((text) => writeFileSync(NAMES_FILE, text));
void markersText().then((text) => writeFileSync(MARKERS_FILE, text));
