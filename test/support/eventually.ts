/** Milliseconds that even a busy machine stays below; less than a test may take. */
const PATIENCE = 25_000;

/** Not a test's fake clock. */
const later = setTimeout;

/**
 * Repeats a look until it neither throws nor returns `false`, and returns what it has seen. After the time limit it
 * fails like the last look, so a failed assertion shows what was there instead.
 */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  timeout = PATIENCE,
): Promise<Exclude<Seen, false>> {
  const end = performance.now() + timeout;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== false) return seen as Exclude<Seen, false>;
      if (performance.now() > end) throw new Error(`It did not happen in time: ${look.toString()}`);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise((resolve) => later(resolve, 20));
  }
}

/**
 * A look that is not repeated, for what may never be there, not even for a moment. Something before it must show that
 * it would be there by now.
 */
export function lookOnce<Seen>(look: Promise<Seen>): Promise<Seen> {
  return look;
}
