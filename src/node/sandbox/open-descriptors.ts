import { readdirSync, readFileSync } from 'node:fs';

const CLOSES_ON_EXEC = 0o2000000;

/**
 * Descriptors that every program started by this process would get, because whoever started this one left them open: files and
 * sockets that lead out of any sandbox. Those that Node opens itself are none.
 */
export function inheritableDescriptors(first: number): readonly number[] {
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
    // It was the one by which the folder was listed.
    return false;
  }
}

/** What to start instead of a program, so that it does not get these. */
export function withoutDescriptors(
  descriptors: readonly number[],
  shell: string,
  words: readonly string[],
): readonly string[] {
  if (descriptors.length === 0) return words;
  const closed = descriptors.map((descriptor) => `${descriptor}>&-`).join(' ');
  return [shell, '--noprofile', '--norc', '-c', `exec "$@" ${closed}`, 'bash', ...words];
}
