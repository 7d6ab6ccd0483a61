import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { environmentRoute, proxyFor } from '../../../../src/node/endpoint/environment-proxy';
import { createTransport } from '../../../../src/node/endpoint/transport';
import { companyCertificate, CompanyNetwork } from '../../../support/servers/company-network';
import { distFile } from '../../../support/dist';

describe('proxy of the environment', () => {
  const rows: readonly (readonly [
    name: string,
    url: string,
    environment: Record<string, string>,
    proxy: string | undefined,
  ])[] = [
    ['none', 'https://a.example/v1', {}, undefined],
    ['for https', 'https://a.example/v1', { HTTPS_PROXY: 'http://p:3128' }, 'http://p:3128/'],
    ['for https alone', 'http://a.example/v1', { HTTPS_PROXY: 'http://p:3128' }, undefined],
    ['for http', 'http://a.example/v1', { HTTP_PROXY: 'http://p:3128' }, 'http://p:3128/'],
    ['for http alone', 'https://a.example/v1', { HTTP_PROXY: 'http://p:3128' }, undefined],
    ['for all', 'https://a.example/v1', { ALL_PROXY: 'http://p:3128' }, 'http://p:3128/'],
    [
      'for https before all',
      'https://a.example',
      { ALL_PROXY: 'http://p', HTTPS_PROXY: 'http://q' },
      'http://q/',
    ],
    ['in lower case', 'https://a.example/v1', { https_proxy: 'http://p:3128' }, 'http://p:3128/'],
    [
      'lower before upper',
      'https://a.example',
      { https_proxy: 'http://p', HTTPS_PROXY: 'http://q' },
      'http://p/',
    ],
    ['empty in lower case', 'https://a.example', { https_proxy: '', HTTPS_PROXY: 'http://q' }, undefined],
    ['without a scheme', 'https://a.example/v1', { HTTPS_PROXY: 'p:3128' }, 'http://p:3128/'],
    ['this machine', 'https://localhost:8443/v1', { HTTPS_PROXY: 'http://p' }, undefined],
    ['this machine by address', 'http://127.0.0.1:8080/v1', { HTTP_PROXY: 'http://p' }, undefined],
    ['everything exempt', 'https://a.example/v1', { HTTPS_PROXY: 'http://p', NO_PROXY: '*' }, undefined],
    [
      'a name exempt',
      'https://a.example/v1',
      { HTTPS_PROXY: 'http://p', NO_PROXY: 'x, a.example' },
      undefined,
    ],
    [
      'a name above exempt',
      'https://a.example/v1',
      { HTTPS_PROXY: 'http://p', no_proxy: '.example' },
      undefined,
    ],
    [
      'a star exempt',
      'https://a.b.example/v1',
      { HTTPS_PROXY: 'http://p', NO_PROXY: '*.example' },
      undefined,
    ],
    [
      'another name exempt',
      'https://aa.example',
      { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example' },
      'http://p/',
    ],
    [
      'a port exempt',
      'https://a.example/v1',
      { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example:443' },
      undefined,
    ],
    [
      'another port exempt',
      'https://a.example',
      { HTTPS_PROXY: 'http://p', NO_PROXY: 'a.example:8443' },
      'http://p/',
    ],
    ['an address exempt', 'http://10.1.2.3/v1', { HTTP_PROXY: 'http://p', NO_PROXY: '10.1.2.3' }, undefined],
    ['a range exempt', 'http://10.1.2.3/v1', { HTTP_PROXY: 'http://p', NO_PROXY: '10.0.0.0/8' }, undefined],
    [
      'another range exempt',
      'http://11.1.2.3',
      { HTTP_PROXY: 'http://p', NO_PROXY: '10.0.0.0/8' },
      'http://p/',
    ],
  ];
  for (const [name, url, environment, proxy] of rows) {
    it(`is found: ${name}`, () => assert.equal(proxyFor(new URL(url), environment)?.href, proxy));
  }

  it('is named without its content if its kind is unsupported', () => {
    const environment = { ALL_PROXY: 'socks5://user:secret@p:1080' };
    assert.throws(
      () => proxyFor(new URL('https://a.example'), environment),
      (error: Error) => error.message.includes('cannot be used') && !error.message.includes('secret'),
    );
  });
});

describe('a request through a proxy', () => {
  let network: CompanyNetwork;
  let folder: string;
  before(() => (folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-proxy-')))));
  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => network.stop());

  function run(
    baseUrl: string,
    env: Record<string, string>,
  ): Promise<{ code: number | null; output: string }> {
    const args = [
      distFile('cli.js'),
      'run',
      '--workspace',
      folder,
      '--base-url',
      baseUrl,
      '--model-name',
      'm',
      'go',
    ];
    const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)));
    return new Promise((resolve) => {
      const child = spawn(process.execPath, args, {
        env: { ...clean, PARLEY_API_KEY: 'sk-canary-company', ...env },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => (output += String(text)));
      child.on('close', (code) => resolve({ code, output }));
    });
  }

  it('goes through a tunnel, trusts NODE_EXTRA_CA_CERTS, and tells the proxy no key', async () => {
    network = await CompanyNetwork.start({ credentials: 'ü:p@ss' });
    const proxy = network.proxyUrl.replace('://', '://%C3%BC:p%40ss@');
    const ended = await run('https://api.parley.test/v1', {
      HTTPS_PROXY: proxy,
      NODE_EXTRA_CA_CERTS: companyCertificate,
    });
    assert.equal(ended.code, 0, ended.output);
    assert.match(ended.output, /All done\./);
    assert.deepEqual(
      network.proxied.map(({ line }) => line),
      ['CONNECT api.parley.test:443'],
    );
    assert.ok(!JSON.stringify(network.proxied).includes('sk-canary'));
    assert.equal(network.requests[0]?.headers.authorization, 'Bearer sk-canary-company');
    assert.equal(network.requests[0].headers['proxy-authorization'], undefined);
  }).timeout(60_000);

  it('says at once that a certificate is not trusted, and does not try on', async () => {
    network = await CompanyNetwork.start();
    const ended = await run('https://api.parley.test/v1', { https_proxy: network.proxyUrl });
    assert.equal(ended.code, 1);
    assert.match(
      ended.output,
      /certificate of https:\/\/api\.parley\.test\/v1 is not trusted.*NODE_EXTRA_CA_CERTS/,
    );
    assert.doesNotMatch(ended.output, /Trying again/);
    assert.deepEqual(network.requests, []);
  }).timeout(60_000);

  it('is sent to the proxy unchanged if the server does not use TLS', async () => {
    network = await CompanyNetwork.start();
    const route = environmentRoute({ HTTP_PROXY: network.proxyUrl.replace('://', '://u:p@') });
    const response = await createTransport(route)('http://api.parley.test/v1/models?x=1', {});
    assert.equal(response.status, 200);
    const [asked] = network.proxied;
    assert.equal(asked?.line, 'GET http://api.parley.test/v1/models?x=1');
    assert.equal(asked.headers.host, 'api.parley.test');
    assert.equal(asked.headers['proxy-authorization'], `Basic ${btoa('u:p')}`);
    assert.match(await response.text(), /All done/);
  });

  it('names a proxy that wants a password, that is not there, and ends when it is stopped', async () => {
    network = await CompanyNetwork.start({ credentials: 'a:b' });
    const send = (proxy: string, signal?: AbortSignal): Promise<Response> =>
      createTransport(environmentRoute({ HTTPS_PROXY: proxy }))('https://api.parley.test/', {
        ...(signal && { signal }),
      });
    const reason = (error: Error): string => (error.cause as Error).message;
    await assert.rejects(send(network.proxyUrl), (error: Error) => /\(407\)/.test(reason(error)));
    await assert.rejects(send('http://127.0.0.1:1'), (error: Error) =>
      /No answer from the proxy 127\.0\.0\.1:1\./.test(reason(error)),
    );
    const stop = new AbortController();
    const sent = send(network.proxyUrl, stop.signal);
    stop.abort();
    await assert.rejects(sent, { name: 'AbortError' });
  });
});
