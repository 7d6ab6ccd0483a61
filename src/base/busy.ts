/** How a system says that a file cannot be replaced now: for Windows, while another program has it open. */
const BUSY: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/** Together a second: virus scanners and editors close a file sooner. */
const WAITS_MS: readonly number[] = [10, 20, 40, 80, 150, 300, 400];

/**
 * Repeats work on a file while another program seems to have it open. After a second, rejects with an error with the
 * code `EBUSY`.
 */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const wait = WAITS_MS[attempt];
      if (wait === undefined)
        throw Object.assign(new Error(error.message, { cause: error }), { code: 'EBUSY' });
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function isBusy(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && BUSY.includes(error.code);
}
