import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { ApprovalRequest, Grant } from '../../core/approval';
import type { ChatToHost } from '../../contract/chat';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { AccessList } from './access-list';
import { useChat } from './chat-context';
import { RejectReason } from './reject-reason';

interface Props {
  readonly callId: string;
  /** The main argument, which the header shows. */
  readonly about: string | undefined;
  readonly request: ApprovalRequest;
  readonly reason: string;
  readonly grants: readonly Grant[];
  readonly onAnswer: () => void;
}

type Answer = Extract<ChatToHost, { type: 'decide' }>['answer'];

/** Why the call waits, and the answers to it. */
export function ApprovalBar({ callId, about, request, reason, grants, onAnswer }: Props): JSX.Element {
  const chat = useChat();
  const [answered, setAnswered] = useState<ApprovalRequest>();
  const isAnswered = answered === request;
  const explain = useRef<HTMLButtonElement>(null);
  const [isExplaining, setExplaining] = useState(false);
  const answer = (value: Answer): void => {
    if (isAnswered) return;
    setAnswered(request);
    onAnswer();
    chat.post({ type: 'decide', callId, answer: value });
  };
  const cancel = (): void => {
    setExplaining(false);
    explain.current?.focus();
  };
  /** The second click of a double click was meant for what stood here before. */
  const clicked = (value: Answer) => (event: MouseEvent) => {
    if (event.detail < 2) answer(value);
  };
  return (
    <div class="approval">
      <p class="approval-reason">
        <Icon name="shield" />
        <span>{t('Needs your approval: {0}', visibleText(reason))}</span>
      </p>
      <AccessList accesses={request.accesses} reason={reason} about={about} />
      <div class="buttons">
        <button type="button" class="button" disabled={isAnswered} onClick={clicked({ type: 'run' })}>
          {t('Run')}
        </button>
        <button
          type="button"
          class="button button-secondary"
          disabled={isAnswered}
          onClick={clicked({ type: 'reject', reason: '' })}
        >
          {t('Reject')}
        </button>
        {grants.includes('edits-in-session') && (
          <button
            type="button"
            class="button button-secondary"
            disabled={isAnswered}
            onClick={clicked({ type: 'run', grant: 'edits-in-session' })}
          >
            {t('Allow edits in this session')}
          </button>
        )}
        <button
          type="button"
          class="link-button"
          ref={explain}
          aria-expanded={isExplaining}
          disabled={isAnswered}
          onClick={() => setExplaining(!isExplaining)}
        >
          {t('Say why not…')}
        </button>
      </div>
      {isExplaining && (
        <RejectReason
          disabled={isAnswered}
          onConfirm={(text) => answer({ type: 'reject', reason: text })}
          onCancel={cancel}
        />
      )}
    </div>
  );
}
