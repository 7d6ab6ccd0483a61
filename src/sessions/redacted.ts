/** The same data with every text in it redacted, the names of fields too. */
export function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redacted(item, redact)]),
  );
}
