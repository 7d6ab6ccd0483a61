import assert from 'node:assert/strict';
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { isPublicAddress, judgeUrl } from '../../../src/policy/web';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '223.255.255.255',
  '169.253.0.1',
  '2606:4700::1111',
  '2a00:1450:4001:80e::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
];
const OTHER = [
  ...[
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '168.63.129.16',
  ],
  ...[
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fe80::1%eth0',
  ],
  ...['fc00::1', 'fd00:ec2::254', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '100::1'],
  ...[
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    ':::',
    '1::2::3',
    '2606:4700',
    '01.1.1.1',
  ],
];

/** An address as the system would hand it out, and spellings that `URL` reads as an address of this machine. */
const SPELLINGS = [
  ...[
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
  ],
  ...[
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:0:0:1]/',
  ],
  ...[
    'http://0/',
    'http://0.0.0.0/',
    'http://１２７.0.0.1/',
    'http://127。0。0。1/',
    'https://169.254.169.254/latest',
    'http://[fd00:ec2::254]/',
  ],
];

describe('web addresses', () => {
  for (const address of PUBLIC)
    it(`G26.address ${address} is of the internet`, () => assert.ok(isPublicAddress(address)));
  for (const address of OTHER)
    it(`G26.address "${address}" is not`, () => assert.ok(!isPublicAddress(address)));

  it('G26.property agrees with the system on every address', () => {
    const blocked = new BlockList();
    for (const [network, bits] of [
      ['10.0.0.0', 8],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.168.0.0', 16],
      ['100.64.0.0', 10],
      ['0.0.0.0', 8],
      ['224.0.0.0', 3],
    ] as const)
      blocked.addSubnet(network, bits, 'ipv4');
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const isPublic = isPublicAddress(address);
        if (isIP(address) === 4 && blocked.check(address)) assert.ok(!isPublic, address);
        if (isIP(address) === 4) assert.equal(isPublicAddress(`::ffff:${address}`), isPublic);
        // An address outside the global range is not public in any notation.
        if (isIP(address) === 6 && isPublic && !address.includes('.'))
          assert.match(new URL(`http://[${address}]/`).hostname, /^\[[23]/);
      }),
      { numRuns: 2_000 },
    );
  });

  for (const address of SPELLINGS) {
    it(`G26.spelling ${address} is refused without a question`, () => {
      const { verdict, url } = judgeUrl(address);
      assert.deepEqual([verdict.decision, url], ['deny', undefined]);
    });
  }

  for (const [address, reason] of [
    ['ftp://example.com/', /only http and https/],
    ['file:///etc/passwd', /only http and https/],
    ['data:text/html,x', /only http and https/],
    ['javascript:1', /only http and https/],
    ['https://me:secret@example.com/', /a name or password/],
    ['example.com', /not a full address/],
    ['https://exa\u202emple.com/', /control or direction/],
    [`https://example.com/${'x'.repeat(3_000)}`, /too long/],
  ] as const) {
    it(`refuses ${address.slice(0, 40)}`, () => {
      const { verdict } = judgeUrl(address);
      assert.equal(verdict.decision, 'deny');
      assert.match(verdict.reason, reason);
    });
  }

  it('G26.origin asks for each origin, compared as a whole', () => {
    const origins = [
      'https://example.com/a#b',
      'https://example.com.evil.org/',
      'https://example.com:8443/',
      'http://example.com/',
    ].map((address) => judgeUrl(address).verdict.grant);
    assert.deepEqual(
      origins.map((grant) => grant?.type === 'fetch-origin-in-session' && grant.origin),
      [
        'https://example.com',
        'https://example.com.evil.org',
        'https://example.com:8443',
        'http://example.com',
      ],
    );
  });
});
