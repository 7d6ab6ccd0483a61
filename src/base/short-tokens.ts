/** `999`, `12.3k`, `128k`, `1.1M`. */
export function shortTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  const [value, unit] = tokens < 999_500 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M'];
  return `${value < 99.95 ? Number(value.toFixed(1)) : Math.round(value)}${unit}`;
}
