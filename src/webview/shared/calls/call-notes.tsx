import type { JSX } from 'preact';
import type { ToolCall } from '../../../core/words/messages';
import { Icon } from '../icon';
import { t } from '../l10n';
import { NoteList } from '../notice';
import { MUST_BE_SEEN } from '../use-all-seen';

interface Props {
  readonly call: ToolCall;
  /** The user changed its arguments. */
  readonly isChanged: boolean;
}

/** Notes from parsing the call; the badge shows that it is not exactly what the model wrote. */
export function CallNotes({ call, isChanged }: Props): JSX.Element | null {
  if (call.mark === 'clean' && call.notes.length === 0 && !isChanged) return null;
  return (
    <div class="call-notes" {...MUST_BE_SEEN}>
      {call.mark !== 'clean' && <Mark badge={badgeOf(call.mark)} />}
      {isChanged && (
        <Mark badge={{ icon: 'edit', label: t('Changed'), title: t('You changed its arguments.') }} />
      )}
      <NoteList notes={call.notes} />
    </div>
  );
}

interface Badge {
  readonly icon: string;
  readonly label: string;
  readonly title: string;
}

function badgeOf(mark: Exclude<ToolCall['mark'], 'clean'>): Badge {
  switch (mark) {
    case 'repaired':
      return { icon: 'wrench', label: t('Repaired'), title: t('Parley repaired the form of this call.') };
    case 'recovered':
      return {
        icon: 'lightbulb',
        label: t('Recovered'),
        title: t('The call was written in the form of another protocol.'),
      };
    case 'echoed':
      return {
        icon: 'copy',
        label: t('Echoed'),
        title: t('The call was copied from an earlier result.'),
      };
  }
}

function Mark({ badge }: { readonly badge: Badge }): JSX.Element {
  const { icon, label, title } = badge;
  return (
    <span class="badge" title={title}>
      <Icon name={icon} />
      {label}
    </span>
  );
}
