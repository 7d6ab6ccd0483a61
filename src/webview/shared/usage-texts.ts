import type { CacheBreak, ReplyTiming, Usage } from '../../core/words/model';
import { never } from '../../base/never';
import { durationText, t } from './l10n';

/** Tokens read and written, and the cost if the price is known. */
export function tokenTexts({ inputTokens, outputTokens, cachedTokens, cost }: Usage): readonly string[] {
  const read =
    cachedTokens === undefined
      ? t('{0} in', inputTokens.toLocaleString())
      : t(
          '{0} new and {1} cached in',
          Math.max(0, inputTokens - cachedTokens).toLocaleString(),
          cachedTokens.toLocaleString(),
        );
  return [
    read,
    t('{0} out', outputTokens.toLocaleString()),
    ...(cost === undefined ? [] : [dollarsText(cost)]),
  ];
}

/** Why the server could not use its cache, in a sentence. */
export function cacheBreakText(cacheBreak: CacheBreak): string {
  switch (cacheBreak) {
    case 'protocol':
      return t('Not cached: the protocol changed.');
    case 'short-prompt':
      return t('Not cached: the length of the tool descriptions changed.');
    case 'tools':
      return t('Not cached: the tools changed.');
    case 'instructions':
      return t('Not cached: the instructions or rules changed.');
    case 'compaction':
      return t('Not cached: messages were summarized, or a summary was undone.');
    case 'images':
      return t('Not cached: older images were removed.');
    case 'history':
      return t('Not cached: earlier messages changed.');
    default:
      return never(cacheBreak);
  }
}

interface ReplyMeasures {
  readonly timing?: ReplyTiming | undefined;
  readonly usage?: Usage | undefined;
}

/** Time to the first token and speed of the rest, if the reply took long enough to measure. */
export function paceTexts({ timing, usage }: ReplyMeasures): readonly string[] {
  if (!timing) return [];
  const { firstMs, totalMs } = timing;
  const seconds = (totalMs - firstMs) / 1000;
  const speed = usage && seconds >= 0.2 ? Math.round(usage.outputTokens / seconds) : 0;
  return [
    t('first token after {0}', durationText(firstMs)),
    ...(speed > 0 ? [t('{0} per second', speed.toLocaleString())] : []),
  ];
}

/** Two significant digits, and cents from a dollar on: `$0.0012`, `$3.50`. */
export function dollarsText(dollars: number): string {
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  const [digits = '', exponent] = dollars.toPrecision(2).split('e');
  if (exponent === undefined) return `$${Number(digits)}`;
  return '< $0.000001';
}
