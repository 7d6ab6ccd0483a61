import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleText } from '../../../base/visible-text';
import type { ApprovalRequest, Grant } from '../../../core/approval';
import type { CallAnswer } from '../../../contract/calls';
import { Icon } from '../icon';
import { useKept } from '../kept';
import { t, translated } from '../l10n';
import { AccessList } from './access-list';
import { AnswerButton } from './answer-button';
import { useCallHost } from './call-host';
import { EditArguments } from './edit-arguments';
import { GrantNote, grantLabel } from './grant-note';
import { RejectReason } from './reject-reason';
import { useArmed } from './use-armed';

interface Props {
  readonly reasonId: string;
  readonly request: ApprovalRequest;
  readonly reason: string;
  readonly grants: readonly Grant[];
  readonly onAnswer: () => void;
}

/** Why the call waits, and the answers to it. */
export function ApprovalBar({ reasonId, request, reason, grants, onAnswer }: Props): JSX.Element {
  const page = useCallHost();
  const notes = useId();
  const [answered, setAnswered] = useState<ApprovalRequest>();
  const isAnswered = answered === request;
  const sent = useRef<ApprovalRequest>(undefined);
  const isArmed = useArmed(request, page.answers.value);
  const explain = useRef<HTMLButtonElement>(null);
  const [isExplaining, setExplaining] = useKept<boolean>('explaining', false);
  const change = useRef<HTMLButtonElement>(null);
  const [isEditing, setEditing] = useKept<boolean>('editing', false);
  useLayoutEffect(() => {
    // What was changed is now what is asked. Where it could not be, it stays in the form.
    if (request.edited !== undefined && request.problem === undefined) setEditing(false);
  }, [request]);
  const answer = (value: CallAnswer): void => {
    // Several clicks may come before the buttons are drawn anew.
    if (sent.current === request) return;
    sent.current = request;
    setAnswered(request);
    onAnswer();
    page.decide(request.call.id, value);
  };
  const cancel = (): void => {
    setExplaining(false);
    explain.current?.focus();
  };
  const edit = (text: string): void => {
    setAnswered(request);
    page.decide(request.call.id, { type: 'edit', arguments: text });
  };
  const stopEditing = (): void => {
    setEditing(false);
    change.current?.focus();
  };
  const isOff = isAnswered || !isArmed || isEditing;
  return (
    <div class="approval">
      <p class="approval-reason" id={reasonId}>
        <Icon name="shield" />
        <span>{t('Needs your approval: {0}', visibleText(translated(reason)))}</span>
      </p>
      <AccessList request={request} reason={reason} />
      <div class="buttons">
        <AnswerButton label={t('Run')} isMain disabled={isOff} onClick={() => answer({ type: 'run' })} />
        <AnswerButton
          label={t('Reject')}
          disabled={isOff}
          onClick={() => answer({ type: 'reject', reason: '' })}
        />
        <button
          type="button"
          class="link-button"
          ref={change}
          aria-expanded={isEditing}
          disabled={isAnswered}
          onClick={() => setEditing(!isEditing)}
        >
          {t('Edit arguments')}
        </button>
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
      {isEditing && (
        <EditArguments request={request} disabled={isAnswered} onApply={edit} onCancel={stopEditing} />
      )}
      {isExplaining && (
        <RejectReason
          disabled={isAnswered}
          onConfirm={(text) => answer({ type: 'reject', reason: text })}
          onCancel={cancel}
        />
      )}
      {grants.map((grant) => (
        <div class="grant" key={grant.type}>
          <GrantNote id={`${notes}-${grant.type}`} grant={grant} />
          <AnswerButton
            label={grantLabel(grant)}
            describedBy={`${notes}-${grant.type}`}
            disabled={isOff}
            onClick={() => answer({ type: 'run', grant: grant.type })}
          />
        </div>
      ))}
    </div>
  );
}
