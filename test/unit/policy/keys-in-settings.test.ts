import assert from 'node:assert/strict';
import { holdsKey, isSecretByContent, withoutKeys } from '../../../src/policy/secrets';

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

  const key = 'aB3dE5gH7jK9mN1pQ2rS4tU6';
  for (const [file, text] of [
    ['auth.json', `{"tokens": {"access_token":"${key}"}}`],
    ['sub/auth.json', `{"http-basic": {"host": {"username": "me", "password": "${key}"}}}`],
    ['token.json', `{\n  "refresh_token": "1//0g${key}"\n}`],
    ['.yarnrc.yml', `npmScopes:\n  mine:\n    npmAuthToken: "${key}"\n`],
    ['.yarnrc.yml', `npmAuthIdent: me:${key}\n`],
    ['pip.conf', `[global]\nindex-url = https://me:${key}@host/simple\n`],
    ['.bundle/config', `---\nBUNDLE_GEMS__HOST__ORG: "me:${key}"\n`],
    ['.flaskenv', `FLASK_APP=app\nSECRET_KEY=${key}\n`],
    ['.gemrc', `:rubygems_api_key: ${key}\n`],
    ['local.properties', `sdk.dir=/opt/sdk\nmaps.apiKey=${key}\n`],
    ['appsettings.Development.json', `{"Jwt": {"Secret": "${key}"}}`],
    ['wp-config.php', `define('DB_PASSWORD', '${key}');\n`],
    ['.mcp.json', `{"mcpServers": {"a": {"env": {"A_TOKEN": "${key}"}}}}`],
    ['auth.json.bak', `{"api_key": "${key}"}`],
    ['keys.json', `{"a": "-----BEGIN RSA PRIVATE KEY-----\\nMII"}`],
  ] as const) {
    it(`make ${file} secret, and its copy holds none: ${text.slice(0, 30).replace(/\n/gu, ' ')}`, () => {
      assert.ok(isSecretByContent(file), file);
      assert.ok(holdsKey(text), text);
      assert.ok(!(withoutKeys(text) ?? '').includes(key));
    });
  }

  it('are not taken for one in texts, numbers, addresses and variables', () => {
    for (const text of [
      '{"login": "Log in", "password": "Your password must have 8 characters"}',
      '{"kind": "word", "value": "if", "token": "IDENTIFIER"}',
      '{"token":"x","version":"1.2.3-beta.4","name":"tokens-of-a-kind"}',
      'nodeLinker: node-modules\nyarnPath: .yarn/releases/yarn-4.5.3.cjs\n',
      'npmAuthToken: "${NPM_TOKEN_FOR_CI_1}"\n',
      '[global]\ntimeout = 30\nindex-url = https://pypi.org/simple\n',
      'BUNDLE_BUILD__NOKOGIRI: "--use-system-libraries"\nBUNDLE_PATH: "vendor/bundle"\n',
      'BUNDLE_MIRROR__HTTPS://HOST/: "https://other.example.org/"\n',
      'FLASK_APP=app\nSECRET_KEY=development\n',
      'sdk.dir=/opt/android-sdk-34.0.0\nkeystore.password=${env.PASSWORD_1234}\n',
      '{"token_url": "https://host/oauth2/v1/token", "tokenEndpoint": "/oauth2/v1/token"}',
      '{"inputs": [{"id": "token", "password": true}], "env": {"A_TOKEN": "${input:token-1234567}"}}',
    ])
      assert.ok(!holdsKey(text), text);
  });

  it('are found in bounded time', () => {
    const start = process.cpuUsage();
    for (const piece of ['a.', 'token', 'token=', '"a-', 'secret = 1', 'a'])
      holdsKey(piece.repeat((64 * 1024) / piece.length));
    assert.ok(process.cpuUsage(start).user < 1_000_000, 'each text takes less than a second together');
  });

  it('do not remain in the rest', () => {
    for (const end of ['\n', '\r\n', ''])
      for (const beginning of ['', '\t', '[a]\n  '])
        for (const line of ['x.token = k3y', 'url=https://a:k3y@b', 'EXTRAHEADER=k3y'])
          assert.ok(!(withoutKeys(`${beginning}${line}${end}`) ?? '').includes('k3y'), line);
  });
});
