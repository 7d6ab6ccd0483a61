import type { JSX } from 'preact';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import { TODO_TOOL } from '../../../core/transcript/todos';
import type { CallPart } from '../../../core/transcript/transcript';
import type { ApprovalRequest } from '../../../core/words/approval';
import type { MalformedCall, ToolResult } from '../../../core/words/messages';
import { useFollowEnd } from '../follow-end';
import { Fold } from '../kept';
import { t, translated } from '../l10n';
import { CappedText, sizeOf, TextLines } from '../text/capped-text';
import { ApprovalBar } from './approval-bar';
import { CallNotes } from './call-notes';
import { Proposal } from './proposal';
import { QuestionAnswer, QuestionForm } from './question';
import { SandboxLine, SandboxOffer } from './sandbox-lines';
import { SubAgentView } from './sub-agent-view';

interface CallBodyProps {
  readonly part: CallPart;
  /** Id for the element that says why the call waits, or what it asks. */
  readonly reasonId: string;
  /** The buttons are about to disappear, so their focus must move. */
  readonly onAnswer: () => void;
}

/** Content below the header of a call until it has ended. */
export function CallBody({ part, reasonId, onAnswer }: CallBodyProps): JSX.Element | null {
  const { state } = part;
  if (isShownElsewhere(part)) return null;
  switch (state.type) {
    case 'streaming':
      return <DraftArguments draft={part.draft} />;
    case 'ready':
      return <Proposal call={state.call} request={state.approval?.request} />;
    case 'waiting':
      return (
        <ApprovalBar
          reasonId={reasonId}
          request={state.request}
          reason={state.reason}
          grants={state.grants}
          onAnswer={onAnswer}
        >
          <CallNotes call={state.call} isChanged={state.request.edited !== undefined} />
          <Proposal call={state.call} request={state.request} canOpenDiff />
          <Bounds request={state.request} />
          <SandboxOffer callId={state.call.id} />
        </ApprovalBar>
      );
    case 'running':
      return (
        <>
          {state.answered ? (
            <QuestionAnswer answered={state.answered} />
          ) : (
            <Proposal call={state.call} request={state.approval?.request} />
          )}
          <Bounds request={state.approval?.request} />
          <LiveOutput text={state.output} />
          {state.subAgent && <SubAgentView callId={state.call.id} transcript={state.subAgent} />}
        </>
      );
    case 'asking':
      return (
        <>
          {state.output !== '' && <LiveOutput text={state.output} />}
          <QuestionForm
            callId={state.call.id}
            question={state.question}
            questionId={reasonId}
            onAnswer={onAnswer}
          />
        </>
      );
    case 'ended':
      // Its header unfolds: `EndedCallView`.
      return null;
    case 'malformed':
      return <MalformedBody part={part} malformed={state.malformed} result={state.result} />;
    default:
      return never(state);
  }
}

/** The folder and sandbox of a command that waits or runs. */
function Bounds({ request }: { readonly request: ApprovalRequest | undefined }): JSX.Element | null {
  const preview = request?.preview;
  const bounds = preview?.type === 'command' ? preview.sandbox : undefined;
  return bounds ? <SandboxLine bounds={bounds} /> : null;
}

/** The todo list is shown elsewhere; its card only says that it changed, unless it waits or has failed. */
export function isShownElsewhere({ name, state }: CallPart): boolean {
  if (name !== TODO_TOOL) return false;
  const { type } = state;
  return type === 'ended' ? state.result.status === 'success' : type !== 'waiting' && type !== 'malformed';
}

interface MalformedBodyProps {
  readonly part: CallPart;
  readonly malformed: MalformedCall;
  readonly result: ToolResult | undefined;
}

/** A malformed call: the reason, the received text, and the message to the model. */
function MalformedBody({ part, malformed, result }: MalformedBodyProps): JSX.Element {
  return (
    <>
      <p class="call-failure">{visibleText(translated(malformed.diagnostic.message))}</p>
      <div class="call-folds">
        {part.draft.length > 0 && (
          <Fold summary={t('Received text')}>
            <DraftArguments draft={part.draft} />
          </Fold>
        )}
        {result && (
          <Fold summary={t('Sent to the model')} detail={sizeOf(result.result)}>
            <CappedText label={t('Sent to the model')} text={result.result} lines={100} />
          </Fold>
        )}
      </div>
    </>
  );
}

/** Arguments while the model writes them. */
function DraftArguments({ draft }: { readonly draft: CallPart['draft'] }): JSX.Element | null {
  if (draft.length === 0) return null;
  return (
    <dl class="arguments">
      {draft.map(({ key, text }, index) => {
        const isLong = text.length > 200 || text.includes('\n');
        return (
          <div key={index} class={`argument${isLong ? ' argument-long' : ''}`}>
            <dt>{visibleText(key) || '…'}</dt>
            <dd>{isLong ? <LiveOutput label={visibleText(key)} text={text} /> : visibleText(text)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

interface LiveOutputProps {
  readonly label?: string;
  readonly text: string;
}

/** Streaming text in a low box that follows its end. */
function LiveOutput({ label = t('Output'), text }: LiveOutputProps): JSX.Element | null {
  const { scroller, content } = useFollowEnd();
  return (
    <div
      class="text-box live"
      role="group"
      aria-label={label}
      tabIndex={0}
      hidden={text === ''}
      ref={scroller}
    >
      <div ref={content}>
        <TextLines text={text} />
      </div>
    </div>
  );
}
