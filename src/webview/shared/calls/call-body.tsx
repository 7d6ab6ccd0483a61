import type { JSX } from 'preact';
import { never } from '../../../base/never';
import { TODO_TOOL } from '../../../core/todos';
import type { CallPart } from '../../../core/transcript';
import { AnsweredQuestion } from './answered-question';
import { ApprovalBar } from './approval-bar';
import { CallResult } from './call-result';
import { DraftArguments } from './draft-arguments';
import { LiveOutput } from './live-output';
import { MalformedBody } from './malformed-body';
import { Proposal } from './proposal';
import { SubAgentView } from './sub-agent-view';
import { QuestionForm } from './question-form';

interface Props {
  readonly part: CallPart;
  /** Id for the element that says why the call waits, or what it asks. */
  readonly reasonId: string;
  /** The buttons are about to go: someone must take their focus. */
  readonly onAnswer: () => void;
}

/** What stands under the header of a call, from its first argument to its result. */
export function CallBody({ part, reasonId, onAnswer }: Props): JSX.Element | null {
  const { state } = part;
  if (isShownElsewhere(part)) return null;
  switch (state.type) {
    case 'streaming':
      return <DraftArguments draft={part.draft} />;
    case 'ready':
      return <Proposal call={state.call} request={state.approval?.request} />;
    case 'waiting':
      return (
        <>
          <Proposal call={state.call} request={state.request} canOpenDiff />
          <ApprovalBar
            reasonId={reasonId}
            request={state.request}
            reason={state.reason}
            grants={state.grants}
            onAnswer={onAnswer}
          />
        </>
      );
    case 'running':
      return (
        <>
          {state.answered ? (
            <AnsweredQuestion answered={state.answered} />
          ) : (
            <Proposal call={state.call} request={state.approval?.request} />
          )}
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
      // Both are what was said anyway: the question is the arguments, the answer the result.
      if (state.answered && state.result.status === 'success')
        return <AnsweredQuestion answered={state.answered} />;
      return (
        <>
          <CallResult call={state.call} result={state.result} approval={state.approval} />
          {state.subAgent && <SubAgentView callId={state.call.id} transcript={state.subAgent} />}
        </>
      );
    case 'malformed':
      return <MalformedBody part={part} malformed={state.malformed} result={state.result} />;
    default:
      return never(state);
  }
}

/** The todo list has one place; its card only says that it changed, unless it waits or has failed. */
function isShownElsewhere({ name, state }: CallPart): boolean {
  if (name !== TODO_TOOL) return false;
  const { type } = state;
  return type === 'ended' ? state.result.status === 'success' : type !== 'waiting' && type !== 'malformed';
}
