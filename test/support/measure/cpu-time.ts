/**
 * Returns the milliseconds of processor time for this work: unlike wall-clock time it does not grow when other
 * programs are busy.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
