import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasFilter, seccompFilter } from '../../../../../src/node/sandbox/filter/seccomp';
import type { Architecture } from '../../../../../src/node/sandbox/filter/system-calls';
import { caseCount } from '../../../../hosts/random-cases';

const AUDITED = { x64: 0xc000003e, arm64: 0xc00000b7, x86: 0x40000003, arm: 0x40000028 } as const;

interface Call {
  readonly number: number;
  readonly arguments?: readonly (number | bigint)[];
  readonly machine?: keyof typeof AUDITED;
}

type Outcome = 'allowed' | 'killed' | 'EPERM' | 'ENOSYS';

/** The instructions of classic BPF that the filter uses, as the kernel runs them. */
function outcome(filter: Buffer, architecture: Architecture, call: Call): Outcome {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(AUDITED[call.machine ?? architecture], 4);
  for (const [at, value] of (call.arguments ?? []).entries())
    data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * at);
  let loaded = 0;
  for (let at = 0, steps = 0; steps < 4096; steps++) {
    const instruction = filter.subarray(8 * at, 8 * at + 8);
    assert.equal(instruction.length, 8, 'The filter must not run out.');
    const [code, value] = [instruction.readUInt16LE(0), instruction.readUInt32LE(4)];
    const jump = (holds: boolean): number => at + 1 + instruction.readUInt8(holds ? 2 : 3);
    switch (code) {
      case 0x20:
        loaded = data.readUInt32LE(value);
        at += 1;
        break;
      case 0x54:
        loaded = (loaded & value) >>> 0;
        at += 1;
        break;
      case 0x15:
        at = jump(loaded === value);
        break;
      case 0x35:
        at = jump(loaded >= value);
        break;
      case 0x45:
        at = jump((loaded & value) !== 0);
        break;
      case 0x06:
        return returned(value);
      default:
        assert.fail(`There is no instruction ${code}.`);
    }
  }
  return assert.fail('The filter must end.');
}

function returned(value: number): Outcome {
  if (value === 0x7fff0000) return 'allowed';
  if (value === 0x80000000) return 'killed';
  if (value === 0x00050001) return 'EPERM';
  if (value === 0x00050026) return 'ENOSYS';
  return assert.fail(`There is no outcome ${value}.`);
}

const UPPER = 0x7f_0000_0000n;
/** A name, the numbers on x64 and arm64, the arguments, and the result. */
type Row = readonly [string, number, number | undefined, readonly (number | bigint)[], Outcome];

const rows: readonly Row[] = [
  ['read', 0, 63, [0, 0, 1], 'allowed'],
  ['execve', 59, 221, [], 'allowed'],
  ['clone of a thread', 56, 220, [0x3d0f00], 'allowed'],
  ['clone of a process', 56, 220, [0x1200011], 'allowed'],
  ...[0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000].flatMap((flag): Row[] => [
    [`clone with ${flag.toString(16)}`, 56, 220, [flag | 17], 'EPERM'],
    [`clone with ${flag.toString(16)} and more above`, 56, 220, [UPPER | BigInt(flag | 17)], 'EPERM'],
    [`unshare of ${flag.toString(16)}`, 272, 97, [flag], 'EPERM'],
  ]),
  ['unshare of time', 272, 97, [0x80], 'EPERM'],
  ['unshare of files', 272, 97, [0x400], 'allowed'],
  ['clone3', 435, 435, [], 'ENOSYS'],
  ['setns', 308, 268, [], 'EPERM'],
  ['mount', 165, 40, [], 'EPERM'],
  ['umount2', 166, 39, [], 'EPERM'],
  ['pivot_root', 155, 41, [], 'EPERM'],
  ['chroot', 161, 51, [], 'EPERM'],
  ['open_tree', 428, 428, [], 'EPERM'],
  ['move_mount', 429, 429, [], 'EPERM'],
  ['fsopen', 430, 430, [], 'EPERM'],
  ['mount_setattr', 442, 442, [], 'EPERM'],
  ['chmod 755', 90, undefined, [0, 0o755], 'allowed'],
  ['chmod 4755', 90, undefined, [0, 0o4755], 'EPERM'],
  ['fchmod 2755', 91, 52, [0, 0o2755], 'EPERM'],
  ['fchmod 1777', 91, 52, [0, 0o1777], 'allowed'],
  ['fchmodat 4755', 268, 53, [0, 0, 0o4755], 'EPERM'],
  ['fchmodat 644', 268, 53, [0, 0, 0o644], 'allowed'],
  ['fchmodat2', 452, 452, [0, 0, 0o644], 'ENOSYS'],
  ['open to make 4755', 2, undefined, [0, 0o101, 0o4755], 'EPERM'],
  ['open to read, with anything as the mode', 2, undefined, [0, 0, 0o4755], 'allowed'],
  ['openat to make 4755', 257, 56, [0, 0, 0o101, 0o4755], 'EPERM'],
  ['openat of a nameless file with 4755', 257, 56, [0, 0, 0o20200001, 0o4755], 'EPERM'],
  ['openat to make 644', 257, 56, [0, 0, 0o101, 0o644], 'allowed'],
  ['openat2', 437, 437, [], 'ENOSYS'],
  ['creat 4755', 85, undefined, [0, 0o4755], 'EPERM'],
  ['mknod of a device', 133, undefined, [0, 0o020644], 'EPERM'],
  ['mknodat of a block device', 259, 33, [0, 0, 0o060644], 'EPERM'],
  ['mknodat of a setuid file', 259, 33, [0, 0, 0o104755], 'EPERM'],
  ['mknodat of a pipe', 259, 33, [0, 0, 0o010644], 'allowed'],
  ['open_by_handle_at', 304, 265, [], 'EPERM'],
  ['socket of the internet', 41, 198, [2, 1, 0], 'allowed'],
  ['socket of IPv6', 41, 198, [10, 2, 0], 'allowed'],
  ['socket of unix', 41, 198, [1, 1, 0], 'EPERM'],
  ['socket of unix with more above', 41, 198, [UPPER | 1n, 1, 0], 'EPERM'],
  ['socket for routes', 41, 198, [16, 3, 0], 'allowed'],
  ['socket for events of the kernel', 41, 198, [16, 3, 15], 'EPERM'],
  ['socket of vsock', 41, 198, [40, 1, 0], 'EPERM'],
  ['socket of packets', 41, 198, [17, 3, 0], 'EPERM'],
  ['socketpair of streams', 53, 199, [1, 0o2000001, 0], 'allowed'],
  ['socketpair of packets', 53, 199, [1, 0o2000005, 0], 'allowed'],
  ['socketpair of datagrams', 53, 199, [1, 0o2000002, 0], 'EPERM'],
  ['ioctl TIOCGWINSZ', 16, 29, [0, 0x5413], 'allowed'],
  ['ioctl TIOCSTI', 16, 29, [0, 0x5412], 'EPERM'],
  ['ioctl TIOCSTI with more above', 16, 29, [0, UPPER | 0x5412n], 'EPERM'],
  ['ioctl TIOCLINUX', 16, 29, [0, 0x541c], 'EPERM'],
  ['io_uring_setup', 425, 425, [], 'ENOSYS'],
  ['ptrace', 101, 117, [], 'allowed'],
  ['process_vm_readv', 310, 270, [], 'EPERM'],
  ['pidfd_getfd', 438, 438, [], 'EPERM'],
  ['add_key', 248, 217, [], 'EPERM'],
  ['keyctl', 250, 219, [], 'EPERM'],
  ['perf_event_open', 298, 241, [], 'EPERM'],
  ['bpf', 321, 280, [], 'EPERM'],
  ['userfaultfd', 323, 282, [], 'EPERM'],
  ['syslog', 103, 116, [], 'EPERM'],
  ['reboot', 169, 142, [], 'EPERM'],
  ['sethostname', 170, 161, [], 'EPERM'],
];

describe('the filter for system calls', () => {
  for (const architecture of ['x64', 'arm64'] as const) {
    const filter = seccompFilter(architecture);

    for (const [name, x64, arm64, given, expected] of rows) {
      const number = architecture === 'x64' ? x64 : arm64;
      if (number === undefined) continue;
      it(`answers ${name} on ${architecture} with: ${expected}`, () =>
        assert.equal(outcome(filter, architecture, { number, arguments: given }), expected));
    }

    it(`ends a process on ${architecture} that uses another architecture's calls`, () => {
      for (const machine of ['x64', 'arm64', 'x86', 'arm'] as const) {
        if (machine === architecture) continue;
        assert.equal(outcome(filter, architecture, { number: 0, machine }), 'killed');
      }
    });

    it(`ends with an answer on ${architecture}, whatever is called`, () => {
      fc.assert(
        fc.property(
          fc.oneof(fc.nat(500), fc.integer()),
          fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 6 }),
          (number, given) => {
            const found = outcome(filter, architecture, { number, arguments: given });
            assert.notEqual(found, 'killed');
          },
        ),
        { numRuns: caseCount(2000) },
      );
    });

    it(`fits the kernel's limit on ${architecture}`, () => {
      assert.equal(filter.length % 8, 0);
      assert.ok(filter.length / 8 <= 4096);
    });
  }

  it('refuses all calls of x32', () => {
    fc.assert(
      fc.property(fc.nat(600), (number) => {
        const found = outcome(seccompFilter('x64'), 'x64', { number: 0x40000000 + number });
        assert.equal(found, 'ENOSYS');
      }),
      { numRuns: caseCount(500) },
    );
  });

  it('is there for two architectures', () => {
    assert.deepEqual(['x64', 'arm64', 'ia32', 'arm', 'riscv64', 'toString'].filter(hasFilter), [
      'x64',
      'arm64',
    ]);
  });
});
