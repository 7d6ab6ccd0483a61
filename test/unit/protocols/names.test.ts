import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  MARKERS_FILE,
  markersText,
  NAMES_FILE,
  protocolNamesText,
} from '../../support/generate/protocol-names';

describe('the names of the protocols', () => {
  it('are those of the list; `npm run manifest` writes them', async () => {
    assert.equal(readFileSync(NAMES_FILE, 'utf8'), await protocolNamesText());
  });

  it('have the markers that edits know', async () => {
    assert.equal(readFileSync(MARKERS_FILE, 'utf8'), await markersText());
  });
});
