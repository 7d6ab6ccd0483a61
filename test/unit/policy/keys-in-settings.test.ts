import assert from 'node:assert/strict';
import { holdsKey, withoutKeys } from '../../../src/policy/secrets';

describe('keys in settings of version control', () => {
  for (const [name, text, bare] of [
    ['a password in an address', 'url = https://me:k3y@host/a.git\n', 'url = https://host/a.git\n'],
    ['a token in an address', `url = https://${'k'.repeat(20)}@host/a.git\n`, 'url = https://host/a.git\n'],
    ['a header', '[http]\n\textraheader = Authorization: k3y\nb = c\n', '[http]\n\nb = c\n'],
    ['a password of a mail server', '\tsmtpPass = k3y\n', '\n'],
    ['a token by its name', 'api_token=k3y\nproxy-password = k3y\n', '\n\n'],
    [
      'an address of what was fetched',
      "0\tbranch 'a' of https://me:k3y@host/a\n",
      "0\tbranch 'a' of https://host/a\n",
    ],
    ['several', 'a = ssh://u:k3y@h\nb = https://u:k3y@h\n', 'a = ssh://h\nb = https://h\n'],
  ] as const) {
    it(`are taken out: ${name}`, () => {
      assert.ok(holdsKey(text));
      assert.equal(withoutKeys(text), bare);
    });
  }

  it('are not found if there are none', () => {
    for (const text of [
      'url = https://host/a.git\n',
      'url = git@host:a.git\n',
      'url = ssh://git@host/a\n',
      'name = a\n',
      '',
    ]) {
      assert.ok(!holdsKey(text), text);
      assert.ok(!withoutKeys(text)?.includes('k3y'));
    }
  });

  it('do not remain in the rest', () => {
    for (const end of ['\n', '\r\n', ''])
      for (const beginning of ['', '\t', '[a]\n  '])
        for (const line of ['x.token = k3y', 'url=https://a:k3y@b', 'EXTRAHEADER=k3y'])
          assert.ok(!(withoutKeys(`${beginning}${line}${end}`) ?? '').includes('k3y'), line);
  });
});
