import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../../core/words/tool';
import { bubblewrapArguments, sandboxEnvironment } from './bubblewrap';
import type { Layout } from './layout';
import { isBelow, toBuffer, type BytePath } from './byte-paths';
import { mountOptions, type Mount } from './mounts';
import type { PrivateFolder } from './private-folder';
import { hasFilter, seccompFilter } from './filter/seccomp';

export interface CommandToEnter {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Absolute, links resolved. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Nobody waits for its end, so the user may work in the same folders meanwhile. */
  readonly isBackground?: boolean;
}

interface CommandToWrap {
  readonly bwrap: string;
  readonly layout: Layout;
  readonly command: CommandToEnter;
  readonly folder: PrivateFolder;
  /** The socket of the proxy for allowed sites; without it, no site can be reached. */
  readonly sites?: string;
}

export interface WrappedCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /**
   * Descriptors from 3 on: two open files, a pipe on which `bwrap` reports what it started, a pipe for which the
   * command waits, and another open file.
   */
  readonly descriptors: readonly (number | 'pipe')[];
  readonly files: readonly FileHandle[];
}

/** Descriptor numbers in the started process: the first of `descriptors` is 3. */
const FILTER = 3;
const ARGUMENTS = 4;
export const STARTED = 5;
/** A line on this descriptor lets the command begin. */
export const RELEASED = 6;
const SURROUNDINGS = 7;
/** Runs inside, so that it ends with the sandbox; `--block-fd` would let the command begin if this process died. */
const GATE = ['/bin/sh', '-c', `read -r _ <&${RELEASED} && exec "$@" ${RELEASED}<&-`, 'sh'];

export async function wrapCommand({
  bwrap,
  layout,
  command,
  folder,
  sites,
}: CommandToWrap): Promise<WrappedCommand> {
  if (!hasFilter(process.arch))
    throw new ToolError(`The sandbox does not support ${process.arch} processors.`);
  const mounts = mountOptions(layout.mounts, await folder.blanks());
  const sharesNetwork = sites !== undefined;
  const options = bubblewrapArguments({ mounts, cwd: command.cwd, sharesNetwork, filterDescriptor: FILTER });
  const around = surroundings(layout.mounts, { sharesNetwork });
  // Each is read to its end by the process that gets it, so none is used twice.
  const [filter, inside, outside] = await Promise.all([
    folder.open(seccompFilter(process.arch)),
    folder.open(options),
    folder.open(around),
  ]);
  const inner = [
    ...[bwrap, '--args', String(ARGUMENTS), '--info-fd', String(STARTED), '--'],
    ...[...GATE, command.program, ...command.arguments],
  ];
  const proxy = sites === undefined ? {} : { proxy: `http://127.0.0.1:${PORT}` };
  const environment = sandboxEnvironment(command.environment, { ...layout, ...proxy });
  const forwarder = sites === undefined ? [] : forwarderTo(sites);
  const words = [bwrap, '--args', String(SURROUNDINGS), '--', ...forwarder, ...inner];
  const [program = bwrap, ...rest] = closingOthers(words);
  return {
    program,
    arguments: rest,
    environment: sites === undefined ? environment : { ...environment, ELECTRON_RUN_AS_NODE: '1' },
    descriptors: [filter.fd, inside.fd, 'pipe', 'pipe', outside.fd],
    files: [filter, inside, outside],
  };
}

function closingOthers(words: readonly string[]): readonly string[] {
  const descriptors = inheritableDescriptors(SURROUNDINGS + 1);
  const bash = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file));
  if (descriptors.length > 0 && bash === undefined)
    throw new ToolError(
      'Parley was started with open files that the sandbox cannot close without bash. Install bash.',
    );
  return withoutDescriptors(descriptors, bash ?? '', words);
}

/** A port on the command's own loopback. */
const PORT = 38_119;

/**
 * The options of an outer `bwrap` for what the inner one finds: all files, of which only those that the command may
 * write to are writable. The inner one mounts by paths and creates missing mount points, and a command that still runs
 * may exchange a folder with a link meanwhile. That link then leads to nothing in which a mount point can be created.
 */
function surroundings(
  mounts: readonly Mount[],
  { sharesNetwork }: { readonly sharesNetwork: boolean },
): Buffer {
  const writable = mounts.flatMap((mount) => {
    if (mount.type === 'write') return [mount.at];
    return mount.type === 'shared' ? [mount.from] : [];
  });
  const outermost = writable.filter((at) => !writable.some((other) => other !== at && isBelow(at, other)));
  const options = [
    ...['--unshare-user', '--die-with-parent', ...(sharesNetwork ? ['--unshare-net'] : [])],
    ...['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--bind', '/proc', '/proc'],
    ...[...new Set(outermost)].flatMap((at) => ['--bind', at, at]),
  ];
  return toBuffer(options.map((option) => `${option}\0`).join('') as BytePath);
}

/** The only exit of the network in which `bwrap` starts the command. */
function forwarderTo(socket: string): readonly string[] {
  return [process.execPath, path.join(__dirname, 'site-forwarder.js'), socket, String(PORT)];
}

const CLOSES_ON_EXEC = 0o2000000;

/**
 * Returns the descriptors that every started program would inherit because the parent of this process left them open:
 * files and sockets that lead out of a sandbox. Descriptors that Node opens itself are not inherited.
 */
function inheritableDescriptors(first: number): readonly number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor >= first && isInheritable(descriptor));
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
  } catch {
    // This descriptor was used to list the folder.
    return false;
  }
}

/** Wraps a program so that it does not inherit these descriptors. */
function withoutDescriptors(
  descriptors: readonly number[],
  shell: string,
  words: readonly string[],
): readonly string[] {
  if (descriptors.length === 0) return words;
  const closed = descriptors.map((descriptor) => `${descriptor}>&-`).join(' ');
  return [shell, '--noprofile', '--norc', '-c', `exec "$@" ${closed}`, 'bash', ...words];
}
