import type { JSX } from 'preact';
import type { ShownPart } from '../../contract/lab-parse';
import { CappedText } from '../shared/capped-text';
import { Fold } from '../shared/fold';
import { t } from '../shared/l10n';
import { sizeOf } from '../shared/text-size';

interface Props {
  readonly parts: readonly ShownPart[];
  readonly raw: string;
}

/** What a user of the chat would read. */
export function TextParts({ parts, raw }: Props): JSX.Element {
  const texts = [
    { label: t('Text'), text: joined(parts, raw, 'text') },
    { label: t('Reasoning'), text: joined(parts, raw, 'reasoning') },
  ].filter(({ text }) => text !== '');
  return (
    <>
      {texts.map(({ label, text }) => (
        <Fold key={label} summary={label} detail={sizeOf(text)}>
          <CappedText label={label} text={text} lines={100} />
        </Fold>
      ))}
    </>
  );
}

function joined(parts: readonly ShownPart[], raw: string, type: 'text' | 'reasoning'): string {
  return parts
    .flatMap((part) => {
      if (part.type !== type) return [];
      return ['text' in part ? part.text : raw.slice(part.start, part.end)];
    })
    .join('');
}
