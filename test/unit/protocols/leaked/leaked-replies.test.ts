import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { summary } from '../../../../src/core/reply/parse-reply';
import { findProtocol } from '../../../../src/protocols';
import { caseSample } from '../../../hosts/random-cases';
import { repository } from '../../../hosts/repository';
import { parseText, splitText } from '../../../support/protocols/run-parser';
import { casesIn } from '../../../support/protocols/reply-cases';

// SAFETY: the file belongs to this test, which fails where it is wrong.
const forms = load(
  readFileSync(path.join(repository, 'test/fixtures/leaked-replies.yaml'), 'utf8'),
) as Record<string, readonly { readonly name: string; readonly reply: string; readonly expect: string }[]>;

const vcp = findProtocol('vcp')!;
const [{ tools } = { tools: [] }] = casesIn([
  { name: 'any', from: 'here', reply: '', tools: ['read', 'write', 'search', 'ping'], expect: '' },
]);

/** `same text` is the unchanged reply. */
function read(reply: string, parts: readonly string[]): string {
  const said = summary(parseText(vcp, parts, tools, { recover: true }));
  return said.replace(`text ${JSON.stringify(reply)}`, 'same text');
}

for (const [form, rows] of Object.entries(forms)) {
  describe(`leaked: ${form}`, () => {
    for (const { name, reply, expect } of rows) {
      it(name, () => {
        assert.equal(read(reply, [reply]), expect);
        assert.equal(read(reply, splitText(reply, 1)), expect, 'in single characters');
        for (const at of caseSample(Array.from(reply, (_, index) => index).slice(1)))
          assert.equal(read(reply, [reply.slice(0, at), reply.slice(at)]), expect, `cut at ${at}`);
      });
    }
  });
}
