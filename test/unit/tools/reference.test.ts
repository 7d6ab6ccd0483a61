import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { REFERENCE_FILE, toolReference } from '../../support/generate/tool-reference';

describe('the page of the tools', () => {
  const page = readFileSync(REFERENCE_FILE, 'utf8');

  it('says what the schemas say; `npm run manifest` writes it', () => {
    assert.equal(page, toolReference(page));
  });

  it('says what every argument is for, except for enums', () => {
    const bare = page.split('\n').filter((line) => /^\s*- `\w+` \([^)"]*\)$/.test(line));
    assert.deepEqual(bare, []);
  });
});
