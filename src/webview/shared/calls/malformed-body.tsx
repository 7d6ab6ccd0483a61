import type { JSX } from 'preact';
import { visibleText } from '../../../base/visible-text';
import type { MalformedCall, ToolResult } from '../../../core/messages';
import type { CallPart } from '../../../core/transcript';
import { CappedText } from '../capped-text';
import { t, translated } from '../l10n';
import { sizeOf } from '../text-size';
import { Fold } from '../fold';
import { DraftArguments } from './draft-arguments';

interface Props {
  readonly part: CallPart;
  readonly malformed: MalformedCall;
  readonly result: ToolResult | undefined;
}

/** What was meant as a call and did not run: why, what arrived, and what the model was told. */
export function MalformedBody({ part, malformed, result }: Props): JSX.Element {
  return (
    <>
      <p class="call-failure">{visibleText(translated(malformed.diagnostic.message))}</p>
      <div class="call-folds">
        {part.draft.length > 0 && (
          <Fold summary={t('What arrived')}>
            <DraftArguments draft={part.draft} />
          </Fold>
        )}
        {result && (
          <Fold summary={t('Told the model')} detail={sizeOf(result.result)}>
            <CappedText label={t('Told the model')} text={result.result} lines={100} />
          </Fold>
        )}
      </div>
    </>
  );
}
