import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '../hosts/repository';
import { copySampleWorkspace } from '../hosts/sample-workspace';
import { runTestsInServer } from '../hosts/server-tests';
import { trusted } from '../hosts/settings';
import { floor } from '../hosts/vscode-versions';
import { companyCertificate, CompanyNetwork } from '../support/servers/company-network';

/** A separate VS Code: certificates are read once per process. */
describe('requests in VS Code', () => {
  it('go through http.proxy except for http.noProxy, trust a private certificate, and send the proxy no key', async () => {
    const network = await CompanyNetwork.start();
    const folder = await copySampleWorkspace();
    try {
      const end = await runTestsInServer({
        release: floor,
        folder,
        extensions: [repository],
        tests: path.join(__dirname, 'inside.js'),
        settings: {
          ...trusted,
          'http.proxy': network.proxyUrl,
          'http.noProxy': ['direct.parley.test'],
        },
        env: { NODE_EXTRA_CA_CERTS: companyCertificate },
        print: () => undefined,
      });
      assert.ok(end.passed, end.log);
      const lines = network.proxied.map(({ line }) => line);
      assert.ok(lines.includes('CONNECT api.parley.test:443'));
      assert.ok(!lines.some((line) => line.includes('direct')), lines.join(', '));
      assert.ok(!JSON.stringify(network.proxied).includes('sk-canary'));
      assert.deepEqual(
        network.requests.map(({ line, headers }) => [line, headers.authorization]),
        [['POST /v1/chat/completions', 'Bearer sk-canary-company']],
      );
    } finally {
      await network.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }).timeout(180_000);
});
