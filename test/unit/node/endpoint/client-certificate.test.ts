import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { secretVariables } from '../../../../src/cli/run-profile';
import { connectionFailure } from '../../../../src/models/exchange/connection-failure';
import { clientCertificate } from '../../../../src/node/endpoint/client-certificate';
import { environmentRoute } from '../../../../src/node/endpoint/environment-proxy';
import { createTransport } from '../../../../src/node/endpoint/transport';
import { runCli } from '../../../support/processes/run-cli';
import { companyCertificate, companyClient, CompanyNetwork } from '../../../support/servers/company-network';

const { passphrase: WORD, ...files } = companyClient;
const PROFILE = { ...files, ca: companyCertificate, passphrase: '${secret:TLS_WORD}' };

describe('a client certificate', () => {
  let network: CompanyNetwork;
  let folder: string;
  before(async () => {
    network = await CompanyNetwork.start({ wantsCertificate: true });
    folder = mkdtempSync(path.join(tmpdir(), 'parley-tls-'));
  });
  after(async () => {
    await network.stop();
    rmSync(folder, { recursive: true });
  });

  /** What a request says, or why it failed, for people. */
  async function ask(
    tls: Partial<typeof PROFILE> = {},
    word: string | undefined = WORD,
    folders: readonly string[] = [],
  ): Promise<string> {
    const certificate = clientCertificate({ ...PROFILE, ...tls }, { passphrase: async () => word, folders });
    return send(createTransport(environmentRoute({ HTTPS_PROXY: network.proxyUrl }), certificate));
  }

  async function send(transport: ReturnType<typeof createTransport>): Promise<string> {
    try {
      return await (await transport('https://api.parley.test/v1/models', {})).text();
    } catch (error) {
      const way = {
        address: 'https://api.parley.test',
        baseUrl: 'https://api.parley.test',
        progress: 'out',
      } as const;
      return connectionFailure(error, way).message;
    }
  }

  it('is shown to a server that demands one, through a proxy', async () => {
    assert.match(await ask(), /All done/);
  });

  it('is read for each connection', async () => {
    const cert = path.join(folder, 'renewed.pem');
    const certificate = clientCertificate(
      { ...PROFILE, cert },
      { passphrase: async () => WORD, folders: [] },
    );
    const transport = createTransport(environmentRoute({ HTTPS_PROXY: network.proxyUrl }), certificate);
    assert.match(await send(transport), /"tls\.cert" cannot be read/);
    copyFileSync(PROFILE.cert, cert);
    assert.match(await send(transport), /All done/);
  });

  it('is asked for in a sentence where it is missing', async () => {
    const read = clientCertificate({ ...PROFILE }, { passphrase: async () => WORD, folders: [] });
    const transport = createTransport(environmentRoute({ HTTPS_PROXY: network.proxyUrl }), async () => {
      const { ca } = await read();
      return { ca };
    });
    assert.match(await send(transport), /wants a client certificate/);
  });

  it('that cannot be used says why, without its contents', async () => {
    const broken = path.join(folder, 'broken.pem');
    writeFileSync(broken, 'SECRET CONTENTS');
    const rows = [
      [await ask({ key: broken }), /do not make a client certificate/],
      [await ask({}, 'wrong'), /passphrase is right/],
      [await ask({ cert: 'client.pem' }), /not absolute/],
      [await ask({}, WORD, [path.dirname(PROFILE.cert)]), /inside of the workspace/],
    ] as const;
    for (const [said, expected] of rows) {
      assert.match(said, expected);
      assert.doesNotMatch(said, /SECRET|wrong|open-sesame/);
    }
  });

  it('works on the command line, and its passphrase is withheld from commands', async () => {
    const profile = path.join(folder, 'profile.json');
    const model = { provider: 'openai', baseUrl: 'https://api.parley.test/v1', model: 'm', tls: PROFILE };
    writeFileSync(profile, JSON.stringify(model));
    const env = { HTTPS_PROXY: network.proxyUrl, TLS_WORD: WORD };
    const ended = await runCli(['run', '--profile', profile, '--workspace', folder, 'Hello'], '', env);
    assert.match(ended.stdout, /All done/, ended.stderr);
    assert.ok(secretVariables({ id: 'x', ...model, provider: 'openai' }, 'KEY').includes('TLS_WORD'));
  }).timeout(60_000);
});
