import { readdirSync, readFileSync } from 'node:fs';

const CLOSES_ON_EXEC = 0o2000000;

/**
 * Returns the descriptors that every started program would inherit because the parent of this process left them open:
 * files and sockets that lead out of a sandbox. Descriptors that Node opens itself are not inherited.
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
    // This descriptor was used to list the folder.
    return false;
  }
}

/** Wraps a program so that it does not inherit these descriptors. */
export function withoutDescriptors(
  descriptors: readonly number[],
  shell: string,
  words: readonly string[],
): readonly string[] {
  if (descriptors.length === 0) return words;
  const closed = descriptors.map((descriptor) => `${descriptor}>&-`).join(' ');
  return [shell, '--noprofile', '--norc', '-c', `exec "$@" ${closed}`, 'bash', ...words];
}
