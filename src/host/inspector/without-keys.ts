import type { Reading } from '../../contract/inspector';

/** The reading with its places where they are once the keys are taken out of the raw reply. */
export function withoutKeys(reading: Reading, raw: string, redact: (text: string) => string): Reading {
  const clean = redact(raw);
  if (clean === raw) return reading;
  const at = (place: number): number => Math.min(redact(raw.slice(0, place)).length, clean.length);
  const moved = <Stretch extends { readonly start: number; readonly end: number }>(
    each: Stretch,
  ): Stretch => ({
    ...each,
    start: at(each.start),
    end: at(each.end),
  });
  return { calls: reading.calls.map(moved), warnings: reading.warnings.map(moved) };
}
