import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { linkedPages } from '../../../src/contract/chat';
import { DOCS_FOLDER, docsLink } from '../../../src/manifest/docs';
import { repository } from '../../hosts/repository';
import { docsPlaces } from '../../support/docs-places';

describe('links to the documentation', () => {
  it('are in texts of settings and in every step of the walkthrough', () => {
    const places = docsPlaces();
    assert.ok(places.length > 10);
    const english = readFileSync(path.join(repository, 'package.nls.json'), 'utf8');
    // SAFETY: a file of texts by their keys.
    const texts = Object.entries(JSON.parse(english) as Record<string, string>);
    const steps = texts.filter(([key]) => /^walkthrough\.\w+\.description$/.test(key));
    assert.deepEqual(
      steps.filter(([, text]) => !text.includes('command:parley.openDocs?')).map(([key]) => key),
      ['walkthrough.calls.description'],
    );
  });

  for (const [page, heading] of docsPlaces()) {
    it(`lead to a page and heading that exist: ${page} ${heading ?? ''}`, () => {
      const file = path.join(repository, DOCS_FOLDER, `${page}.md`);
      assert.ok(existsSync(file));
      const ids = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
        text
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
      );
      if (heading !== undefined) assert.ok(ids.includes(heading), ids.join(', '));
    });
  }

  it('of the chat lead to pages that exist', () => {
    for (const page of linkedPages)
      assert.ok(existsSync(path.join(repository, DOCS_FOLDER, `${page}.md`)), page);
  });

  it('have their place as arguments of the command', () => {
    assert.equal(
      docsLink('approvals', 'hooks'),
      `command:parley.openDocs?${encodeURIComponent('["approvals","hooks"]')}`,
    );
  });
});
