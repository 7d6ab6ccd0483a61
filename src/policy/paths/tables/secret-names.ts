import type { RowGroup } from '../place-table';

/**
 * Files with keys, at any depth: the last components of a path. They stay secret even if the name looks like a template.
 */
export const keyNames: readonly RowGroup[] = [
  {
    why: 'keys of certificates and signatures',
    paths: `
      *.pem *.key *.p8 *.p12 *.pfx *.pk8 *.jks *.jceks *.keystore *.keytab *.snk *private*.asc *secret*.asc
      *.pkcs8 *.pkcs12 *.priv *.privkey *.seckey *.jwk`,
  },
  {
    why: 'keys of SSH, GPG and VPNs',
    paths: `
      id_rsa* id_dsa* id_ecdsa* id_ed25519* .ssh/* *.ppk *.der .gnupg/* .gnupg/private-keys-v1.d/*
      .gnupg/openpgp-revocs.d/* age/keys.txt *.ovpn wg.conf wg-*.conf wg_*.conf wireguard/*.conf
      wireguard*.conf *_dsa ipsec.secrets chap-secrets pap-secrets wpa_supplicant*.conf *.nmconnection
      .chef/*.rb wg0.conf wg1.conf wg2.conf wg3.conf wg4.conf wg5.conf wg6.conf wg7.conf wg8.conf wg9.conf`,
  },
  {
    why: 'named as keys, without an extension that tells source code from them',
    paths: `
      private_key private-key privatekey privkey priv_key deploy_key deploy-key deploykey ssh_key
      ssh-key signing_key signing-key secret_key secret-key secretkey ssh_host_*_key *_rsa *_ed25519
      *_ecdsa *.agekey *.age-key *.bek *.pvk`,
  },
  {
    why: 'stores of passwords',
    paths: `
      *.kdb *.kdbx *.psafe3 wallet.dat *.agilekeychain *.opvault *.keychain *.keychain-db login.keyring
      .password-store/* key4.db logins.json *.wallet utc--* .config/solana/id.json solana/id.json
      cookies.sqlite signons.sqlite`,
  },
];

/** Settings that usually hold keys or passwords. A template of them is meant to be shared. */
export const settingNames: readonly RowGroup[] = [
  {
    why: 'variables',
    paths: `
      .env .env.* .env-* .env_* *.env *.env.local .envrc .envrc.* .envs/* .envs/*/* .flyctl.env .dev.vars
      .dev.vars.* local.settings.json .env.keys`,
  },
  {
    why: 'named as secrets',
    paths: `
      .secrets secrets.y*ml secrets.*.y*ml *.secrets.y*ml secret.y*ml secrets.json secrets.toml secrets.ini
      secrets.properties secret.properties key.properties keys.properties keystore.properties
      signing.properties credential.properties secrets.env .secrets/* .secret .api_key .apikey .token
      .access_token .password .passwd .pgpass.* .secrets.y*ml .secrets.json .secrets.toml credentials
      credentials.json credentials.y*ml credentials.toml credentials.ini credentials.xml credentials.csv
      credentials.db credentials.properties .credentials .credentials.json .vault-token .vault_pass*
      .vault-pass* vault_pass vault_pass.txt vault-password vault_password* .ansible_vault*
      .ansible/galaxy_token *api_key *api_key.txt *api-key.txt *apikey.txt *_token.txt passwords.txt
      password.txt passwords.csv logins.csv *recovery-codes*.txt *recovery_codes*.txt mnemonic.txt
      seed-phrase.txt etc/shadow .github_token .gitlab_token .hf_token .npm_token`,
  },
  {
    why: 'logins of programs',
    paths: `
      .netrc _netrc .git-credentials .htpasswd *.htpasswd .pgpass pgpass.conf .pg_service.conf .my.cnf
      .mylogin.cnf .s3cfg .boto rclone.conf gh/hosts.yml .config/hub glab-cli/config.yml .sentryclirc
      .netrc.gpg .authinfo* .smbcredentials .passwd-s3fs .fetchmailrc .msmtprc .mbsyncrc .offlineimaprc
      .cvspass .subversion/auth/*/* .vnc/passwd .mc/config.json ngrok.yml kaggle.json huggingface/token
      .huggingface/token stripe/config.toml .twilio-cli/config.json configstore/*.json .expo/state.json
      .snowsql/config .snowflake/*.toml .dbt/profiles.yml .okta/okta.yaml .step/secrets/* .htdigest
      pub-credentials.json .travis/config.yml .circleci/cli.yml weechat/sec.conf .weechat/sec.conf
      .irssi/config .purple/accounts.xml .config/op/config .op/config .rclone.conf playwright/.auth/*
      .auth/*.json cookies.txt .cookies cookiejar* .lein/credentials.clj .nomad-token .consul-token`,
  },
  {
    why: 'logins of agents',
    paths: `
      .codex/auth.json opencode/auth.json oauth_creds.json .gemini/*accounts.json github-copilot/*.json
      .kimi/credentials/* .factory/auth* amp/secrets.json goose/secrets.y*ml`,
  },
  {
    why: 'what was typed',
    paths: `
      .bash_history .zsh_history .sh_history .ash_history .ksh_history .csh_history .python_history
      .node_repl_history .irb_history .pry_history .php_history .lua_history .julia_history .scala_history
      .ghci_history .gdb_history .psql_history .mysql_history .sqlite_history .rediscli_history
      .mongosh_history .history fish_history .zhistory .histfile .lesshst .viminfo .dbshell *host_history.txt
      nushell/history.* .rhistory .octave_hist history.sqlite .duckdb_history .usql_history .influx_history
      .bpython_history .xonsh_history .nu_history .pgcli_history .mycli-history .litecli-history
      .clickhouse-client-history .rdbg_history`,
  },
  {
    why: 'package managers',
    paths: `
      .npmrc .pypirc .composer/auth.json composer/auth.json pypoetry/auth.toml .cargo/credentials*
      .hex/hex.config .nuget/nuget.config nuget/nuget.config .gem/credentials .m2/settings.xml
      .m2/settings-security.xml .gradle/gradle.properties`,
  },
  {
    why: 'containers and clusters',
    paths: `
      .docker/config.json .dockercfg .dockerconfigjson containers/auth.json helm/registry/config.json
      argocd/config .argocd/config .talos/config talosconfig .rancher/cli2.json kubeconfig
      kubeconfig.y*ml kubeconfig.json kubeconfig-*.y*ml *.kubeconfig .kube/*config* k3s.yaml
      kubernetes/admin.conf`,
  },
  {
    why: 'clouds and infrastructure',
    paths: `
      *.tfvars *.tfvars.json *.tfstate *.tfstate.* *.tfplan .terraformrc terraform.rc *.tfrc.json .aws/config
      .aws/sso/cache/* .aws/cli/cache/* *accesskeys.csv rootkey.csv .azure/accesstokens.json
      .azure/msal_token_cache* .azure/service_principal* gcloud/access_tokens.db gcloud/credentials.db
      gcloud/legacy_credentials/*/* application_default_credentials.json *service-account*.json
      *service_account*.json *serviceaccount*.json *firebase-adminsdk*.json client_secret*.json .oci/config
      .databrickscfg .bluemix/config.json .aliyun/config.json doctl/config.yaml hcloud/cli.toml
      .config/linode-cli scw/config.yaml .civo.json .fly/config.yml .railway/config.json .netlify/config.json
      com.vercel.cli/auth.json vercel/auth.json .wrangler/config/*.toml .cloudflared/*.json
      .pulumi/credentials.json .ossutilconfig .civo/config.json .scw/config.yaml .config/scw/config.yaml
      .linode-cli .vultr-cli.yaml .upcloud/config .exoscale/* .digitalocean/*`,
  },
];

/** Public or ordinary files among them. */
export const publicNames: readonly RowGroup[] = [
  {
    why: 'public keys, and settings without keys',
    paths: `
      id_*.pub .ssh/*.pub .ssh/config .ssh/known_hosts* .ssh/authorized_keys*`,
  },
];

/** Files with ordinary names or uses: only some contain a key, in an address or as a setting. */
export const maybeSecretNames: readonly RowGroup[] = [
  {
    why: 'version control',
    paths: `
      .git/config .git/config.worktree .git/worktrees/*/config.worktree .git/modules/*/config
      .git/fetch_head .gitconfig .gitmodules .hg/hgrc .hgrc .lfsconfig`,
  },
  {
    why: 'logins; translations and grammars have such names too',
    paths: `
      auth.json auth.toml token.json tokens.json token.txt token oauth.json oauth_token.json session.json
      apikeys.json api_keys.json keys.json secret.json *-key.json *_key.json *keyfile.json
      google-services.json googleservice-info.plist jwk.json cypress.env.json storagestate.json
      storage-state.json api_key.json apikey.json`,
  },
  {
    why: 'package managers',
    paths: `
      .yarnrc .yarnrc.y*ml pip.conf pip.ini .bundle/config .gemrc .condarc nuget.config bunfig.toml
      uv.toml poetry.toml .pnpmrc .cargo/config* gradle.properties local.properties sentry.properties`,
  },
  {
    why: 'programs and frameworks',
    paths: `
      .flaskenv .curlrc .wgetrc appsettings*.json wp-config.php config/database.y*ml .dockercfg.json .muttrc
      bitcoin.conf settings.xml .cabal/config .config/sops/*`,
  },
  {
    why: 'servers of agents',
    paths: `
      .mcp.json mcp.json mcp_settings.json .claude/settings*.json .claude.json
      claude_desktop_config.json opencode.json* crush.json .crush.json .aider.conf.y*ml`,
  },
];
