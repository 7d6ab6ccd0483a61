import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { redact } from '../../../src/base/redact';

const KEY = 'canary+/=key 5f1e9c "x"';

describe('redact', () => {
  for (const { name, form } of [
    { name: 'as it is', form: KEY },
    { name: 'URL-encoded', form: encodeURIComponent(KEY) },
    { name: 'in JSON', form: JSON.stringify(KEY).slice(1, -1) },
    { name: 'in Base64', form: Buffer.from(KEY).toString('base64').slice(0, -2) },
    { name: 'in Base64 for URLs', form: Buffer.from(KEY).toString('base64url').slice(0, -1) },
  ]) {
    it(`G19.redact: takes a key out ${name}`, () => {
      const redacted = redact(`before ${form} after`, [undefined, KEY]);
      assert.ok(!redacted.includes(form), redacted);
      assert.match(redacted, /^before \[key\].* after$/);
    });
  }

  it('G19.redact: takes a key out of Base64 of a longer text, wherever it begins', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, after) => {
        const encoded = Buffer.from(before + KEY + after).toString('base64');
        const redacted = redact(encoded, [KEY]);
        assert.match(redacted, /\[key\]/);
        assert.ok(
          !Buffer.from(redacted.replace(/\[key\]/g, ''))
            .toString()
            .includes('canary'),
        );
      }),
    );
  });

  for (const key of [
    'sk-proj-AbCdEf0123456789xyz',
    'ghp_0123456789abcdefghijABCDEFGHIJ',
    'github_pat_0123456789abcdefghijABCDEFGHIJ',
    'xoxb-123456789012-abcdef',
    'hf_0123456789abcdefghijABCD',
    'AKIAIOSFODNN7EXAMPLE',
  ]) {
    it(`G19.redact: knows the look of ${key.slice(0, 6)}…`, () => {
      assert.equal(redact(`key=${key}.`, []), 'key=[key].');
    });
  }

  it('leaves ordinary text alone', () => {
    const text = 'task-force of the risk-averse, src/sk-utils.ts, 5 keys';
    assert.equal(redact(text, ['abc', '']), text);
  });
});
