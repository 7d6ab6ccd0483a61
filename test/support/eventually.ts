/** Waits until something holds; rejects where it does not in time. */
export async function eventually(holds: () => boolean | Promise<boolean>, timeout = 10_000): Promise<void> {
  for (const end = performance.now() + timeout; performance.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('It did not come to hold in time.');
}
