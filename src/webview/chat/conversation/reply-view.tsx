import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { EntryPart, ReplyEntry } from '../../../core/transcript/transcript';
import { SubAgentContext, type EntryProps } from '../../shared/calls/call-context';
import { ToolCallCard } from '../../shared/calls/tool-call-card';
import { IconButton } from '../../shared/icon';
import { KeptScope, useKept } from '../../shared/kept';
import { t, translated } from '../../shared/l10n';
import { Markdown } from '../../shared/markdown/markdown';
import { NoteList, Notice } from '../../shared/notice';
import { useChat } from '../chat-context';
import { StepLine } from './step-line';

interface ReplyViewProps extends Pick<
  EntryProps,
  'running' | 'isLast' | 'after' | 'layout' | 'onFold' | 'isUnlooked' | 'isAdvised'
> {
  readonly reply: ReplyEntry;
}

/** The model's reply in one round, and its calls. */
export function ReplyView(props: ReplyViewProps): JSX.Element {
  const { reply, running, layout, onFold } = props;
  const { parts, ended } = reply;
  const isOpen = (index: number): boolean => running && ended === undefined && index === parts.length - 1;
  const items = layout?.items ?? parts.map((_, index) => index);
  return (
    <section class="reply">
      <h2 class="unseen">{t('Parley')}</h2>
      {items.map((item) => {
        if (typeof item !== 'number')
          return (
            <StepLine key={`fold-${item.fold.names[0]}`} head={item} onToggle={(fold) => onFold?.(fold)} />
          );
        const part = parts[item];
        return (
          part && (
            <KeptScope key={keyOf(part, item)} name={keyOf(part, item)}>
              <PartView part={part} open={isOpen(item)} />
            </KeptScope>
          )
        );
      })}
      {layout?.hasTail !== false && <ReplyTail {...props} />}
    </section>
  );
}

/** What is said about a reply as a whole. One cause is said once: what ended the run says it. */
function ReplyTail({ reply, isLast, after, isUnlooked, isAdvised }: ReplyViewProps): JSX.Element {
  const { warnings, ended, advice, isEdited } = reply;
  const outcome = after?.type === 'outcome' ? after.outcome : undefined;
  const said = outcome && 'message' in outcome ? outcome : undefined;
  const saidCode = said && 'code' in said ? said.code : undefined;
  const notes = warnings.filter(
    ({ code, message, seen }) =>
      code !== OF_EVERY_REPLY &&
      message !== said?.message &&
      code !== saidCode &&
      // The advice is about it.
      !(advice && seen !== undefined),
  );
  return (
    <>
      <NoteList notes={notes} />
      {isEdited && <p class="quiet">{t('You edited this reply.')}</p>}
      {advice && !isAdvised && !said && <ProtocolAdvice advice={advice} />}
      {isUnlooked && <UnlookedNotice isLast={isLast} />}
      {ended === 'length' && (
        <Notice icon="warning" text={t('The model reached its output limit before it finished.')} />
      )}
      {ended === 'content-filter' && (
        <Notice icon="warning" text={t('The endpoint filtered part of this reply.')} />
      )}
      {ended !== undefined && <InspectButton reply={reply} />}
    </>
  );
}

/** An answer from what the model knows, where it could have looked. */
function UnlookedNotice({ isLast }: { readonly isLast: boolean }): JSX.Element {
  const chat = useChat();
  const text = t('Look at the files with your tools first, then answer again.');
  return (
    <Notice icon="info" text={t('The model answered without looking at anything.')}>
      {isLast && (
        <button
          type="button"
          class="button button-secondary"
          onClick={() => chat.post({ type: 'send', text })}
        >
          {t('Look first')}
        </button>
      )}
    </Notice>
  );
}

/** Servers that give no finish reason do so in every reply; the lab shows it. */
const OF_EVERY_REPLY = 'no-finish-reason';

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

/** Calls are counted separately: removing one at the end of a run must not rename the parts around it. */
function keyOf(part: EntryPart, index: number): string {
  return part.type === 'call' ? `call-${part.index}` : `${part.type}-${index}`;
}

/** The model's reasoning before its answer, folded. */
function Reasoning({ text, open }: { readonly text: string; readonly open: boolean }): JSX.Element {
  const [isUnfolded, setUnfolded] = useKept<boolean>('thoughts', false);
  return (
    <details class="reasoning" open={isUnfolded} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
      <summary class={open ? 'thinking' : ''}>{open ? t('Thinking') : t('Thoughts')}</summary>
      {isUnfolded && <Markdown text={text} open={open} />}
    </details>
  );
}

/** Opens the lab for this reply. */
function InspectButton({ reply }: { readonly reply: ReplyEntry }): JSX.Element {
  const chat = useChat();
  const callId = useContext(SubAgentContext);
  const { number } = reply;
  return (
    <div class="message-buttons">
      <IconButton
        icon="inspect"
        label={t('Inspect')}
        onClick={() =>
          chat.post({ type: 'inspect', reply: { number, ...(callId !== undefined && { callId }) } })
        }
      />
    </div>
  );
}

interface ProtocolAdviceProps {
  readonly advice: NonNullable<ReplyEntry['advice']>;
}

/** Suggests another protocol for the model; one click switches to it. */
function ProtocolAdvice({ advice }: ProtocolAdviceProps): JSX.Element {
  return (
    <Notice icon="lightbulb" text={translated(advice.message)}>
      <UseProtocolButton protocol={advice.protocol} />
    </Notice>
  );
}

export function UseProtocolButton({ protocol }: { readonly protocol: string }): JSX.Element {
  const chat = useChat();
  const picker = chat.shown.value?.pickers.protocol;
  const label = picker?.options.find(({ value }) => value === protocol)?.label ?? protocol;
  const isChosen = picker?.value === protocol;
  return (
    <button
      type="button"
      class="button button-secondary"
      disabled={isChosen}
      onClick={() => chat.post({ type: 'pick', picker: 'protocol', value: protocol })}
    >
      {isChosen ? t('Using {0}', label) : t('Use {0}', label)}
    </button>
  );
}
