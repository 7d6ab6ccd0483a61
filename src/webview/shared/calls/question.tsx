import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import { most } from '../../../contract/most';
import type { AnsweredQuestion } from '../../../core/transcript/transcript';
import type { Question } from '../../../core/words/tool';
import { isComposing } from '../focus';
import { Icon } from '../icon';
import { useKept } from '../kept';
import { t } from '../l10n';
import { CappedText } from '../text/capped-text';
import { useOverflow } from '../use-overflow';
import { AnswerButton, useArmed } from './answer-button';
import { useCallHost } from './call-context';

interface QuestionFormProps {
  readonly callId: string;
  readonly question: Question;
  /** Id for the element that holds the question. */
  readonly questionId: string;
  readonly onAnswer: () => void;
}

/** A question of a call, its suggested answers, and a box for any other answer. */
export function QuestionForm({ callId, question, questionId, onAnswer }: QuestionFormProps): JSX.Element {
  const page = useCallHost();
  const [text, setText] = useKept<string>('answer', '');
  const [answered, setAnswered] = useState<Question>();
  const sent = useRef<Question>(undefined);
  const isArmed = useArmed(question, page.answers.value);
  const asked = useRef<HTMLDivElement>(null);
  const isOver = useOverflow(asked);
  const isAnswered = answered === question;
  const answer = (value: string): void => {
    // Several clicks may arrive before the buttons are redrawn.
    if (sent.current === question || value.trim() === '') return;
    sent.current = question;
    setAnswered(question);
    onAnswer();
    setText('');
    page.answer(callId, value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    // A key that is still held down was meant for the previous focus.
    if (!event.repeat) answer(text);
  };
  return (
    <div class="question">
      <div id={questionId} tabIndex={isOver ? 0 : undefined} ref={asked}>
        <CappedText label={t('Question')} text={question.question} lines={20} scrolls={false} />
      </div>
      {question.options.length > 0 && (
        <div class="buttons" role="group" aria-label={t('Suggested answers')}>
          {question.options.map((option, index) => (
            <AnswerButton
              key={index}
              label={visibleText(option)}
              disabled={isAnswered || !isArmed}
              onClick={() => answer(option)}
            />
          ))}
        </div>
      )}
      <div class="free-answer">
        <textarea
          class="text-field"
          aria-label={t('Your answer')}
          placeholder={question.options.length > 0 ? t('Or type another answer…') : t('Your answer…')}
          rows={1}
          maxLength={most.answer}
          value={text}
          disabled={isAnswered}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          class="icon-button"
          aria-label={t('Send answer')}
          title={t('Send answer')}
          // Not `disabled` without text, which would lose the focus.
          aria-disabled={text.trim() === ''}
          disabled={isAnswered}
          onClick={() => answer(text)}
        >
          <Icon name="send" />
        </button>
      </div>
    </div>
  );
}

/** The question and the user's answer. */
export function QuestionAnswer({ answered }: { readonly answered: AnsweredQuestion }): JSX.Element {
  return (
    <div class="answered">
      <div class="quiet">
        <CappedText label={t('Question')} text={answered.question} lines={6} scrolls={false} />
      </div>
      <div class="answer">
        <Icon name="reply" />
        <CappedText label={t('Your answer')} text={answered.answer} lines={6} scrolls={false} />
      </div>
    </div>
  );
}
