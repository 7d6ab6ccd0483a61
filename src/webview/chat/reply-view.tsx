import type { JSX } from 'preact';
import type { EntryPart, ReplyEntry } from '../../core/transcript';
import { KeptScope } from '../shared/kept';
import { t } from '../shared/l10n';
import { Markdown } from '../shared/markdown';
import { NoteList } from '../shared/note-list';
import { ToolCallCard } from '../shared/calls/tool-call-card';
import { Notice } from '../shared/notice';
import { InspectButton } from './inspect-button';
import { ProtocolAdvice } from './protocol-advice';
import { Reasoning } from './reasoning';

interface Props {
  readonly reply: ReplyEntry;
  readonly running: boolean;
}

/** What the model wrote in one round, and what became of its calls. */
export function ReplyView({ reply, running }: Props): JSX.Element {
  const { parts, warnings, ended, advice, isMended } = reply;
  const isOpen = (index: number): boolean => running && ended === undefined && index === parts.length - 1;
  return (
    <section class="reply">
      <h2 class="unseen">{t('Parley')}</h2>
      {parts.map((part, index) => (
        <KeptScope key={keyOf(part, index)} name={keyOf(part, index)}>
          <PartView part={part} open={isOpen(index)} />
        </KeptScope>
      ))}
      <NoteList notes={warnings} />
      {isMended && <p class="quiet">{t('You have mended this reply.')}</p>}
      {advice && <ProtocolAdvice advice={advice} />}
      {ended === 'length' && (
        <Notice icon="warning" text={t('The model reached its limit before it was done.')} />
      )}
      {ended === 'content-filter' && (
        <Notice icon="warning" text={t('The endpoint held back a part of this reply.')} />
      )}
      {ended !== undefined && <InspectButton reply={reply} />}
    </section>
  );
}

interface PartProps {
  readonly part: EntryPart;
  readonly open: boolean;
}

function PartView({ part, open }: PartProps): JSX.Element | null {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? null : <Markdown text={part.text} open={open} />;
    case 'reasoning':
      return <Reasoning text={part.text} open={open} />;
    case 'call':
      return <ToolCallCard part={part} />;
  }
}

/** Calls are counted on their own: one that is taken away at the end of a run must not rename the parts around it. */
function keyOf(part: EntryPart, index: number): string {
  return part.type === 'call' ? `call-${part.index}` : `${part.type}-${index}`;
}
