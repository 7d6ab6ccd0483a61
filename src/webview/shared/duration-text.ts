import { t } from './l10n';

/** `3 ms`, `1.2 s`, `2 min 5 s` */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return t('{0} ms', Math.round(milliseconds));
  const seconds = milliseconds / 1000;
  if (seconds < 60) return t('{0} s', seconds.toFixed(1));
  return t('{0} min {1} s', Math.floor(seconds / 60), Math.round(seconds % 60));
}
