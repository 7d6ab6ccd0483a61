/** Waits until a condition holds; rejects after the time limit. */
export async function eventually(holds: () => boolean | Promise<boolean>, timeout = 10_000): Promise<void> {
  for (const end = performance.now() + timeout; performance.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('The condition did not hold in time.');
}
