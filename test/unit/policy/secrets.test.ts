import assert from 'node:assert/strict';
import { aimsAtSecret, isSecret, secretFileNames } from '../../../src/policy/secrets';

/** As the threat model lists them, whatever the table of the code holds. */
const promised: readonly string[] = `
  .env .env.local .env.production a.pem a.key a.p12 a.pfx a.jks a.keystore id_rsa id_dsa id_ecdsa id_ed25519 id_rsa.old
  id_ed25519_work .netrc .git-credentials .npmrc .pypirc credentials credentials.json terraform.tfstate
  prod.env .envrc .env~ .env.bak .env-old .prod.env.swp a.env.local .dev.vars .dev.vars.production a.tfvars a.auto.tfvars
  a.tfvars.json terraform.tfstate.backup secrets.yaml secrets.yml secrets.prod.yaml secrets.json .pgpass pgpass.conf
  .my.cnf .cargo/credentials .cargo/credentials.toml .docker/config.json .dockercfg kubeconfig a.kubeconfig .kube/config
  .aws/credentials .aws/config application_default_credentials.json service-account.json service-account-prod.json
  my_service_account.json a.kdbx a.ppk private-key.asc _netrc .htpasswd .s3cfg .boto .ssh/work .ssh/id_work
  .gnupg/secring.gpg .gnupg/private-keys-v1.d/a.key id_rsa.bak server.key.old server.pem~ .bash_history
  .config/gh/hosts.yml client_secret_1.json
  .envs/.production .envs/.local/.django key.properties keystore.properties .sentryclirc .gemini/oauth_creds.json
  .config/gcloud/legacy_credentials/a/adc.json deploy_key deploy_key.bak private_key github_rsa server.der wg0.conf
  .local/share/fish/fish_history .config/containers/auth.json .config/github-copilot/apps.json .dbt/profiles.yml
  .password-store/a.gpg vault_pass.txt .vnc/passwd kaggle.json .irb_history`
  .split(/\s+/u)
  .filter((name) => name !== '');

describe('secret files', () => {
  for (const name of promised) {
    it(`G9.promised ${name}`, () => {
      for (const spelling of [name, name.toUpperCase(), `\u200b${name}`, `${name}\ufe0f`]) {
        assert.ok(isSecret(spelling, { platform: 'posix' }), JSON.stringify(spelling));
      }
      assert.ok(isSecret(`${name}..`, { platform: 'win32' }));
      assert.ok(isSecret(`${name}:x`, { platform: 'win32' }));
    });
  }

  for (const pattern of secretFileNames) {
    const name = pattern.replaceAll('*', 'prod');
    it(`G9.secret holds ${pattern}`, () => {
      assert.ok(isSecret(name, { platform: 'posix' }));
      assert.ok(isSecret(name.toUpperCase(), { platform: 'posix' }));
      assert.ok(isSecret(`${name.slice(0, 2)}\u200d${name.slice(2)}`, { platform: 'posix' }));
      assert.ok(isSecret(`${name}. `, { platform: 'win32' }));
      assert.ok(isSecret(`${name}::$DATA`, { platform: 'win32' }));
    });
  }

  for (const name of [
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.dist',
    '.env.local.example',
    'env.ts',
    'key.ts',
    'environment',
    'credentials.ts',
    '[id].tsx',
    '*',
    'terraform.tfvars.example',
    'example.env',
    'secrets.example.yml',
    'secrets-sample.json',
    'service-account-template.json',
    '.envrc.example',
    '.dev.vars.example',
    '.npmrc.template',
    'environment.ts',
    'env.d.ts',
    'vite-env.d.ts',
    'app.env.ts',
    'secrets.test.ts',
    'secrets.ts',
    'external-secrets.yaml',
    'config.json',
    'docker/config.json',
    'tokens.css',
    'keys.ts',
    'locales/en/auth.json',
    'src/kubeconfig.go',
    'service-account.ts',
    'a.asc',
    '.ssh/id_rsa.pub',
    'id_ed25519.pub',
    '.ssh/config',
    '.ssh/known_hosts',
    '.ssh/known_hosts.old',
    '.ssh/authorized_keys',
    'known_hosts',
    'aws/config',
    '.github/workflows/secrets.md',
    'main.tf',
    'package-lock.json',
    'README~1.md',
    'src/deploy_key.ts',
    'src/private_key.test.ts',
    'docs/private_key.md',
    'wget.conf',
    'profiles.yml',
    'auth.json',
    'src/history.ts',
    '.eslintrc.json',
    'app.properties',
    'certs/ca.crt',
    'src/password.ts',
    'docs/api-key.md',
    'backup~1.txt',
  ]) {
    it(`takes ${name} for ordinary`, () => {
      assert.equal(isSecret(name, { platform: 'posix' }), false);
    });
  }

  it('G9.secret holds what the user added', () => {
    assert.ok(isSecret('vault.KDBX', { platform: 'posix', added: ['*.kdbx'] }));
    assert.ok(isSecret('key7', { platform: 'posix', added: ['key?'] }));
    assert.equal(isSecret('key77', { platform: 'posix', added: ['key?'] }), false);
  });

  const patterns: readonly { readonly pattern: string; readonly aims: boolean }[] = [
    { pattern: '.e*', aims: true },
    { pattern: '.en?', aims: true },
    { pattern: '.[e]nv', aims: true },
    { pattern: '*.pem', aims: true },
    { pattern: 'server.k?y', aims: true },
    { pattern: 'id_*', aims: true },
    { pattern: 'cred*', aims: true },
    { pattern: '*.ts', aims: false },
    { pattern: 'a*', aims: false },
    { pattern: '*nv', aims: false },
    { pattern: '*.json', aims: false },
    { pattern: '*.y*ml', aims: false },
    { pattern: '.eslintrc*', aims: false },
    { pattern: 'src/s*', aims: false },
    { pattern: '*.tfv*s', aims: true },
    { pattern: '.[[:alpha:]]nv', aims: true },
  ];
  for (const { pattern, aims } of patterns) {
    it(`G9.pattern ${pattern} ${aims ? 'is' : 'is not'} after a secret`, () => {
      assert.equal(aimsAtSecret(pattern, { platform: 'posix' }), aims);
    });
  }
});
