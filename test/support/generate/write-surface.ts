import { writeFileSync } from 'node:fs';
import { frozenSurface, grownSurface, SURFACE_FILE, surfaceNow } from './surface';

// `npm run manifest` adds new names to the frozen surface. With UPDATE=1 it writes the whole current surface.
const now = surfaceNow();
const written = process.env.UPDATE === '1' ? now : grownSurface(now, frozenSurface());
writeFileSync(SURFACE_FILE, `${JSON.stringify(written, undefined, 2)}\n`);
