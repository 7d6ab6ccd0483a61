/** Milliseconds of processor time that this takes: unlike time on the clock it does not grow when other programs are busy. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
