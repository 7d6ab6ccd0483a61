import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../../base/json';
import { visibleText } from '../../../base/text';
import type { CallAnswer } from '../../../contract/calls';
import { most } from '../../../contract/most';
import type { ApprovalRequest } from '../../../core/words/approval';
import type { Access } from '../../../core/words/tool';
import type { Grant, AllowCommands } from '../../../core/words/verdict';
import { isComposing, mayFollowClick } from '../focus';
import { Icon } from '../icon';
import { useKept } from '../kept';
import { t, translated } from '../l10n';
import { MUST_BE_SEEN, useAllSeen } from '../use-all-seen';
import { useOverflow } from '../use-overflow';
import { AnswerButton, useArmed } from './answer-button';
import { useCallHost } from './call-context';
import { EditArguments } from './edit-arguments';
import { exactly, GrantExtent, grantLabel, extentText, scopeLabel, scopesOf } from './grant-note';

interface ApprovalBarProps {
  /** Preview of the call. */
  readonly children: ComponentChildren;
  readonly reasonId: string;
  readonly request: ApprovalRequest;
  readonly reason: string;
  readonly grants: readonly Grant[];
  readonly onAnswer: () => void;
}

/** Why the call waits, its preview, and the answers, which stay visible however long the preview is. */
export function ApprovalBar(props: ApprovalBarProps): JSX.Element {
  const { reasonId, request, reason, grants, onAnswer, children } = props;
  const page = useCallHost();
  const notes = useId();
  const [answered, setAnswered] = useState<ApprovalRequest>();
  const isAnswered = answered === request;
  const sent = useRef<ApprovalRequest>(undefined);
  const isArmed = useArmed(request, page.answers.value);
  const explain = useRef<HTMLButtonElement>(null);
  const [isExplaining, setExplaining] = useKept<boolean>('explaining', false);
  const [isExact, setExact] = useKept<boolean>('exact rule', false);
  const change = useRef<HTMLButtonElement>(null);
  const [isEditing, setEditing] = useKept<boolean>('editing', false);
  useLayoutEffect(() => {
    // The changed call is shown for approval. If the change was rejected, it stays in the form.
    if (request.edited !== undefined && request.problem === undefined) setEditing(false);
  }, [request]);
  const answer = (value: CallAnswer): void => {
    // Several clicks may arrive before the buttons are redrawn.
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
  const asked = useRef<HTMLDivElement>(null);
  const isOver = useOverflow(asked);
  const isOff = isAnswered || !isArmed || isEditing;
  useAllSeen(asked, request, () => page.seen.add(request));
  const isSeen = page.seen.has(request);
  const [isMore, setMore] = useKept<boolean>('more answers', false);
  const more = useId();
  const isChosenExact = isExact && grants.some((grant) => grant.type === 'allow-commands' && grant.exact);
  const offered = isChosenExact ? grants.map(exactly) : grants;
  return (
    <div class="approval">
      <div
        class="asked"
        role={isOver ? 'group' : undefined}
        aria-label={isOver ? t('What the call would do') : undefined}
        tabIndex={isOver ? 0 : undefined}
        ref={asked}
      >
        <p class="approval-reason" id={reasonId}>
          <Icon name="shield" />
          <span>{t('Needs your approval: {0}', visibleText(translated(reason)))}</span>
          <span class="unseen">{t('Press Enter to run it.')}</span>
        </p>
        {children}
        <AccessList request={request} reason={reason} />
        {isEditing && (
          <EditArguments request={request} disabled={isAnswered} onApply={edit} onCancel={stopEditing} />
        )}
      </div>
      <div class="buttons">
        <AnswerButton
          label={t('Run')}
          isMain
          isDefault
          title={isSeen ? t('Enter (while the call is focused)') : unreadText(request)}
          disabled={isOff || !isSeen}
          onClick={() => answer({ type: 'run' })}
        />
        <AnswerButton
          label={t('Reject')}
          disabled={isOff}
          onClick={() => answer({ type: 'reject', reason: '' })}
        />
        <button
          type="button"
          class="button button-secondary more-button"
          aria-expanded={isMore}
          aria-controls={more}
          onClick={() => setMore(!isMore)}
        >
          …<span class="unseen"> {t('More answers')}</span>
        </button>
        <div class={isMore ? 'more-answers more-open' : 'more-answers'} id={more}>
          {offered.flatMap((grant) =>
            scopesOf(grant).map((scope) => (
              <AnswerButton
                key={`${grant.type} ${scope}`}
                label={scope === undefined ? grantLabel(grant) : scopeLabel(scope)}
                title={extentText(grant)}
                describedBy={extentText(grant) === undefined ? undefined : `${notes}-${grant.type}`}
                disabled={isOff || !isSeen}
                onClick={() =>
                  answer({
                    type: 'run',
                    grant: grant.type,
                    ...(isChosenExact && grant.type === 'allow-commands' && { isExact: true }),
                    ...(scope !== undefined && { scope }),
                  })
                }
              />
            )),
          )}
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
            {t('Give a reason…')}
          </button>
        </div>
      </div>
      {!isSeen && <p class="quiet unread">{unreadText(request)}</p>}
      {isExplaining && (
        <RejectReason
          disabled={isAnswered}
          onConfirm={(text) => answer({ type: 'reject', reason: text })}
          onCancel={cancel}
        />
      )}
      <div class={isMore ? 'more-answers more-open' : 'more-answers'}>
        {grants.map(
          (grant) =>
            grant.type === 'allow-commands' &&
            grant.exact && (
              <RuleChoice
                key={grant.type}
                grant={grant}
                isExact={isExact}
                disabled={isOff}
                onChoose={setExact}
              />
            ),
        )}
        {offered.map((grant) => (
          <GrantExtent key={grant.type} id={`${notes}-${grant.type}`} grant={grant} />
        ))}
      </div>
    </div>
  );
}

/** Why the call cannot run yet. */
function unreadText({ preview }: ApprovalRequest): string {
  return preview?.type === 'diff'
    ? t('Scroll to the first lines of the change to run it.')
    : t('Scroll to the end of the request to run it.');
}

interface AccessListProps {
  readonly request: ApprovalRequest;
  /** Already shown as the reason for waiting. */
  readonly reason: string;
}

/**
 * Paths a call would touch, with links resolved, unless the arguments already show them. A command is shown itself.
 */
function AccessList({ request, reason }: AccessListProps): JSX.Element | null {
  const asked = placesAskedFor(request.edited ?? request.call.arguments);
  const isNews = ({ target, verdict, notes }: Access): boolean =>
    notes !== undefined ||
    !asked.includes(target) ||
    (verdict.reason !== reason && verdict.decision !== 'auto');
  const places = request.accesses.filter((access) => access.kind !== 'command' && isNews(access));
  if (places.length === 0) return null;
  return (
    <ul class="accesses" {...MUST_BE_SEEN}>
      {places.map(({ target, verdict, notes = [] }, index) => (
        <li key={index}>
          <code>{visibleText(target)}</code>
          {notes.length > 0 && <span> ({visibleText(notes.map(translated).join('; '))})</span>}
          {verdict.decision !== 'auto' && verdict.reason !== reason && (
            <span class="quiet"> {visibleText(translated(verdict.reason))}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Only arguments that name a path: any other could be made to imitate the resolved path. */
function placesAskedFor(values: JsonObject): readonly unknown[] {
  // The default is the workspace folder.
  return [values['path'] ?? '.', values['from'], values['to'], values['cwd'] ?? '.'];
}

interface RejectReasonProps {
  readonly disabled: boolean;
  readonly onConfirm: (reason: string) => void;
  readonly onCancel: () => void;
}

/** One line for the model: the reason for rejecting. */
function RejectReason({ disabled, onConfirm, onCancel }: RejectReasonProps): JSX.Element {
  const [reason, setReason] = useKept<string>('reason', '');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (mayFollowClick()) field.current?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === 'Enter') onConfirm(reason.trim());
    if (event.key !== 'Escape') return;
    // One step at a time: the next Escape leaves the call.
    event.stopPropagation();
    setReason('');
    onCancel();
  };
  return (
    <label class="reject-reason">
      <span>{t('Reason')}</span>
      <input
        type="text"
        class="text-field"
        ref={field}
        value={reason}
        maxLength={most.answer}
        disabled={disabled}
        placeholder={t('Press Enter to reject with this reason, or Escape to go back')}
        onInput={(event) => setReason(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}

interface Props {
  readonly grant: AllowCommands;
  readonly isExact: boolean;
  readonly disabled: boolean;
  readonly onChoose: (isExact: boolean) => void;
}

/** Which of the two kinds of rules a permission would hold. */
function RuleChoice({ grant, isExact, disabled, onChoose }: Props): JSX.Element {
  const name = useId();
  const choice = (exact: boolean, rules: AllowCommands['rules'], label: string): JSX.Element => (
    <label>
      <input
        type="radio"
        name={name}
        checked={isExact === exact}
        disabled={disabled}
        onChange={() => onChoose(exact)}
      />{' '}
      {label} <code>{visibleText(rules.map(({ text }) => text).join(', '))}</code>
    </label>
  );
  return (
    <fieldset class="rule-choice">
      <legend class="unseen">{t('What a permission covers')}</legend>
      {choice(false, grant.rules, t('Also with other harmless arguments:'))}
      {choice(true, grant.exact ?? grant.rules, t('Exactly:'))}
    </fieldset>
  );
}
