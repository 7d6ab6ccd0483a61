import type { Reading } from '../../contract/inspector';
import type { TextSpan } from '../shared/text-spans';
import { t } from '../shared/l10n';

/** Where everything stands that was read out of a reply, in its raw text. */
export function spansOf({ calls, warnings }: Reading): readonly TextSpan[] {
  return [
    ...calls.map(({ type, name, start, end }, index): TextSpan => {
      return { id: callSpan(index), kind: type, start, end, label: name || t('(no name)') };
    }),
    // One without a place speaks about all of it.
    ...warnings.flatMap(({ start, end, code }, index): TextSpan[] =>
      end > start ? [{ id: warningSpan(index), kind: 'warning', start, end, label: code }] : [],
    ),
  ];
}

export function callSpan(index: number): string {
  return `call-${index}`;
}

export function warningSpan(index: number): string {
  return `warning-${index}`;
}
