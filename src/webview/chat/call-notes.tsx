import type { JSX } from 'preact';
import type { ToolCall } from '../../core/messages';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { NoteList } from './note-list';

/** What was noticed while the call was read; the badge says that it is not just what the model wrote. */
export function CallNotes({ call }: { readonly call: ToolCall }): JSX.Element | null {
  if (call.mark === 'clean' && call.notes.length === 0) return null;
  return (
    <div class="call-notes">
      {call.mark !== 'clean' && <Mark mark={call.mark} />}
      <NoteList notes={call.notes} />
    </div>
  );
}

function Mark({ mark }: { readonly mark: 'repaired' | 'recovered' }): JSX.Element {
  const isRepaired = mark === 'repaired';
  return (
    <span
      class="badge"
      title={
        isRepaired
          ? t('Its text had to be mended to be read.')
          : t('It was written in the form of another protocol.')
      }
    >
      <Icon name={isRepaired ? 'wrench' : 'lightbulb'} />
      {isRepaired ? t('Repaired') : t('Recovered')}
    </span>
  );
}
