import type { JSX } from 'preact';
import { never } from '../../../base/never';
import type { EntryProps } from '../../shared/calls/call-context';
import { memo } from '../../shared/memo';
import { SummaryNotice, OutcomeNotice, RestoreNotice, RewindNotice } from './notices';
import { ReplyView } from './reply-view';
import { UserMessage } from './user-message';

/** One entry of the conversation. Unchanged entries are not redrawn. */
export const EntryView = memo((props: EntryProps): JSX.Element => {
  const { entry, isLast, running, pause, checkpoint, again } = props;
  switch (entry.type) {
    case 'user':
      return (
        <UserMessage
          text={entry.text}
          attachments={entry.attachments}
          checkpoint={checkpoint}
          again={again}
        />
      );
    case 'reply':
      // A replacement does not grow out of the entry it replaces.
      return <ReplyView key={entry.number} reply={entry} running={running} />;
    case 'outcome':
      return <OutcomeNotice outcome={entry.outcome} isNew={isLast} pause={pause} />;
    case 'compaction':
      return <SummaryNotice compaction={entry} running={running} />;
    case 'restore':
      return <RestoreNotice restore={entry} checkpoint={checkpoint} />;
    case 'rewind':
      return <RewindNotice rewind={entry} checkpoint={checkpoint} />;
    default:
      return never(entry);
  }
});
