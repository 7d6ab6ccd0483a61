import type { JSX } from 'preact';
import { never } from '../../base/never';
import { memo } from '../shared/memo';
import type { EntryProps } from './entry-context';
import { OutcomeNotice } from './outcome-notice';
import { ReplyView } from './reply-view';
import { UserMessage } from './user-message';

/** One entry of the conversation; entries that did not change are not drawn again. */
export const EntryView = memo(({ entry, isLast, running }: EntryProps): JSX.Element => {
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
