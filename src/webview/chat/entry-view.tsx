import type { JSX } from 'preact';
import { never } from '../../base/never';
import type { Entry } from '../../core/transcript';
import { memo } from '../shared/memo';
import { OutcomeNotice } from './outcome-notice';
import { ReplyView } from './reply-view';
import { UserMessage } from './user-message';

interface Props {
  readonly entry: Entry;
  readonly isLast: boolean;
  /** It is the last one of a run that goes on. */
  readonly running: boolean;
}

/** One entry of the conversation; entries that did not change are not drawn again. */
export const EntryView = memo(({ entry, isLast, running }: Props): JSX.Element => {
  switch (entry.type) {
    case 'user':
      return <UserMessage text={entry.text} />;
    case 'reply':
      return <ReplyView reply={entry} running={running} />;
    case 'outcome':
      return <OutcomeNotice outcome={entry.outcome} isNew={isLast} />;
    default:
      return never(entry);
  }
});
