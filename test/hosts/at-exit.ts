const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Calls `cleanUp` when this process ends, also after Ctrl+C or another signal. The returned function cancels that. */
export function atExit(cleanUp: () => void): () => void {
  const handlers = Object.entries(signals).map(([signal, code]) => ({
    signal,
    exit: () => process.exit(code),
  }));
  for (const { signal, exit } of handlers) process.once(signal, exit);
  process.once('exit', cleanUp);
  return () => {
    for (const { signal, exit } of handlers) process.off(signal, exit);
    process.off('exit', cleanUp);
  };
}
