import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { limits } from '../../../src/base/limits';
import type { Grant } from '../../../src/core/words/verdict';
import { judgeCall } from '../../../src/policy/approvals';
import { measureEventLoopDelay } from '../../support/measure/event-loop-delay';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { letTimePass } from '../../support/turns';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

function page(type: string, body: string | Buffer): Answer {
  return (_, response) => response.writeHead(200, { 'content-type': type }).end(body);
}

/** What no honest server sends; the connection ends after it. */
function raw(bytes: string): Answer {
  return (_, response) => response.socket?.end(bytes);
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/page': page(
    'text/html; charset=utf-8',
    '<html><head><title>T</title><script>bad()</script></head><body><h1>Plums</h1><p>All <b>about</b> <a href="/x">them</a>.</p></body></html>',
  ),
  '/json': page('application/json', '{"a":1}'),
  '/latin': page('text/plain; charset=iso-8859-1', Buffer.from('gr\u00fcn', 'latin1')),
  '/image': page('image/png', Buffer.from('\x89PNG')),
  '/unnamed': (_, response) => response.end(Buffer.from('\x89PNG\0', 'latin1')),
  '/big': page('text/plain', 'x'.repeat(limits.fetchBytes + 1_000)),
  '/hostile': page('text/html', '<div>'.repeat(200_000)),
  '/missing': (_, response) => response.writeHead(404).end('no'),
  '/gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  '/away': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/near': (_, response) => response.writeHead(302, { location: 'json' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/latin-meta': page('text/html', Buffer.from('<meta charset="iso-8859-1"><p>gr\u00fcn', 'latin1')),
  '/old-meta': page(
    'text/html',
    Buffer.from(
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xef\xf0',
      'latin1',
    ),
  ),
  '/wrong-meta': page('text/html; charset=utf-8', '<meta charset="iso-8859-1"><p>gr\u00fcn'),
  '/marked-meta': page('text/html', '\ufeff<meta charset="iso-8859-1"><p>gr\u00fcn'),
  '/comment-meta': page('text/html', '<!-- <meta charset="iso-8859-1"> --><p>gr\u00fcn'),
  '/late-meta': page('text/html', `<!--${' '.repeat(1_024)}--><meta charset="iso-8859-1"><p>gr\u00fcn`),
  '/odd-meta': page('text/html', '<meta charset="utf-16le"><p>gr\u00fcn'),
  '/long': page('text/html', `<p>first</p><!--${' '.repeat(limits.fetchHtmlCharacters)}--><p>last</p>`),
  '/cut': raw('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf'),
  '/bad-chunks': raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n'),
  '/switch': raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'),
  '/nothing': raw(''),
  '/headers': (request, response) => response.end(JSON.stringify(request.headers)),
};

describe('fetch_url', () => {
  let server: Server;
  let scratch: ScratchWorkspace;
  let origin: string;
  let requests: string[];
  before(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      ANSWERS[request.url ?? '']?.(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // SAFETY: a server that listens on a port has such an address.
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    scratch = await ScratchWorkspace.create(
      {},
      { web: { isAllowedAddress: (address) => address === '127.0.0.1' } },
    );
  });
  beforeEach(() => (requests = []));
  after(async () => {
    server.closeAllConnections();
    server.close();
    await scratch.dispose();
  });

  const fetched = (path: string): Promise<string> => scratch.call('fetch_url', { url: origin + path });
  const failed = (path: string): Promise<string> => scratch.failure('fetch_url', { url: origin + path });

  it('shows a page as readable text', async () => {
    assert.equal(
      await fetched('/page'),
      `From ${origin}/page (text/html; charset=utf-8):\n# Plums\n\nAll **about** [them](/x).`,
    );
  });

  it('shows other text as it is', async () => {
    assert.equal(await fetched('/json#part'), `From ${origin}/json (application/json):\n{"a":1}`);
    assert.match(await fetched('/latin'), /gr\u00fcn$/);
  });

  for (const [path, text] of [
    ['/latin-meta', 'gr\u00fcn'],
    ['/old-meta', '\u043f\u0440'],
    ['/wrong-meta', 'gr\u00fcn'],
    ['/marked-meta', 'gr\u00fcn'],
    ['/comment-meta', 'gr\u00fcn'],
    ['/late-meta', 'gr\u00fcn'],
    ['/odd-meta', 'gr\u00fcn'],
  ] as const) {
    it(`reads ${path} in the encoding that counts`, async () => {
      assert.equal((await fetched(path)).split('\n').at(-1), text);
    });
  }

  it('says when only the first part of a page was turned into text', async () => {
    const lines = (await fetched('/long')).split('\n');
    assert.equal(lines[1], 'first');
    assert.ok(!lines.includes('last'));
    assert.equal(lines.at(-1), '[Only the first 1,048,576 characters of its HTML were converted to text.]');
  });

  it('follows a redirect within the site', async () => {
    assert.equal(await fetched('/near'), `From ${origin}/json (application/json):\n{"a":1}`);
  });

  it('G26.redirect does not follow a redirect to another site, and names it', async () => {
    assert.equal(
      await fetched('/away'),
      'It redirects to another site, which the user was not asked about: http://169.254.169.254/latest\n' +
        'To follow it, call fetch_url with that address.',
    );
    assert.deepEqual(requests, ['/away']);
  });

  it('ends after five redirects', async () => {
    assert.equal(await failed('/loop'), 'More than 5 redirects. Use another address.');
    assert.equal(requests.length, 6);
  });

  for (const [path, error] of [
    ['/image', 'That is not text but image/png, which is not shown. Use the address of a page or text.'],
    ['/unnamed', 'That is not text but PNG image, which is not shown. Use the address of a page or text.'],
    ['/missing', / answered 404 Not Found\. Check the address, or try another\.$/],
    ['/cut', 'The connection closed after 4 bytes. Try again.'],
    ['/bad-chunks', 'The connection closed after 4 bytes. Try again.'],
    ['/switch', /^No answer from 127\.0\.0\.1:\d+: it closed the connection\. Check the address\.$/],
    ['/nothing', /^No answer from 127\.0\.0\.1:\d+: .*hang up\. Check the address\.$/],
    ['/gzip', / sends compressed data \(gzip\) unasked\. Use another address\.$/],
  ] as const) {
    it(`explains ${path}`, async () => {
      const failure = await failed(path);
      if (typeof error === 'string') assert.equal(failure, error);
      else assert.match(failure, error);
    });
  }

  it('stops at 2 MiB, and says what is left out', async () => {
    const result = await fetched('/big');
    assert.ok(result.length < limits.fetchResultCharacters + 500);
    assert.match(
      result,
      /\[2,031,616 characters more left out\.\]\n\[The page is longer than 2 MiB; the rest was not fetched\.\]$/,
    );
  });

  it('G35.page does not block on a page that takes minutes, and shows its source', async () => {
    const { result, blockedMs } = await measureEventLoopDelay(() => fetched('/hostile'));
    assert.match(result, /<div>.*\[This is its source/s);
    assert.ok(blockedMs < 2_000, `the thread was held up for ${blockedMs} ms`);
  });

  it('G13.stop ends a request that waits', async () => {
    const stop = new AbortController();
    void letTimePass(200).then(() => stop.abort());
    await assert.rejects(scratch.call('fetch_url', { url: `${origin}/silent` }, stop.signal), {
      name: 'AbortError',
    });
  });

  it('G13.stop ends a name lookup that never ends', async () => {
    // SAFETY: it is the object that the compiled sources call too.
    const names = createRequire(path.resolve('package.json'))('node:dns/promises') as { lookup: unknown };
    const { lookup } = names;
    names.lookup = () => new Promise(() => undefined);
    try {
      const stop = new AbortController();
      void letTimePass(200).then(() => stop.abort());
      await assert.rejects(scratch.call('fetch_url', { url: 'http://example.com/' }, stop.signal), {
        name: 'AbortError',
      });
    } finally {
      names.lookup = lookup;
    }
  });

  it('G19.fetch sends nothing of ours', async () => {
    const headers = JSON.parse((await fetched('/headers')).split('\n').slice(1).join('\n')) as object;
    assert.deepEqual(Object.keys(headers).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it('G26.default refuses this machine by name and number, and connects to nothing', async () => {
    const usual = await ScratchWorkspace.create({});
    try {
      const port = new URL(origin).port;
      const hosts = [
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f000001',
        '0177.0.0.1',
        '0',
        '127.0.0.1.',
        '[::1]',
        '[::ffff:127.0.0.1]',
        'localhost',
        'localhost.',
        'LOCALHOST',
        '127.0.1',
        '0x7f.0.0.1',
        '[::ffff:7f00:1]',
        '017700000001',
      ];
      for (const host of hosts) {
        assert.match(
          await usual.failure('fetch_url', { url: `http://${host}:${port}/json` }),
          // Not every resolver knows the name with a dot.
          host === 'localhost.'
            ? /private network|localhost\. was not found/
            : /is on this machine or in a private network/,
          host,
        );
      }
      assert.deepEqual(requests, []);
    } finally {
      await usual.dispose();
    }
  });

  it('G26.name refuses a name when one of its addresses is private', async () => {
    // By its name the machine has ::1, 127.0.0.1 or both; only the first may be allowed.
    const none = await ScratchWorkspace.create({}, { web: { isAllowedAddress: () => false } });
    try {
      assert.match(
        await none.failure('fetch_url', { url: origin.replace('127.0.0.1', 'localhost') }),
        /private network/,
      );
    } finally {
      await none.dispose();
    }
  });

  it('G26.ask asks for each site, or once for the session', async () => {
    const { accesses, title } = await scratch.prepare('fetch_url', { uri: 'https://Example.com/a#b' });
    assert.equal(title, 'Fetch https://example.com/a');
    const call = {
      id: 'a',
      name: 'fetch_url',
      arguments: {},
      start: 0,
      end: 0,
      notes: [],
      mark: 'clean',
    } as const;
    const rules = { isTrusted: true, mode: 'auto', requireConfirmation: true, recovery: 'ask' } as const;
    const judged = (granted: readonly Grant[], more: object = {}) =>
      judgeCall({ call, effect: 'network', title, accesses }, { ...rules, ...more }, granted);
    const grant = { type: 'fetch-origin-in-session', origin: 'https://example.com' } as const;
    const asked = judged([]);
    assert.deepEqual([asked.verdict.decision, asked.grants], ['ask', [grant]]);
    assert.equal(judged([grant]).verdict.decision, 'auto');
    assert.equal(judged([{ ...grant, origin: 'http://example.com' }]).verdict.decision, 'ask');
    assert.equal(judged([grant], { isTrusted: false }).verdict.decision, 'deny');
    assert.equal(judged([grant], { mode: 'manual' }).verdict.decision, 'ask');
  });
});
