import type { JSX } from 'preact';
import type { ReplyAnswer, SentMessage } from '../../contract/lab-parse';
import { CappedText } from '../shared/capped-text';
import { Fold } from '../shared/fold';
import { t } from '../shared/l10n';
import { sizeOf } from '../shared/text-size';

/** What the model reads: about its tools before the reply, and the results after it. */
export function SentText({ answer }: { readonly answer: ReplyAnswer }): JSX.Element {
  const { prompt, followUp, hasRealResults } = answer;
  return (
    <>
      {prompt !== '' && (
        <Fold summary={t('What the model is told about its tools')} detail={sizeOf(prompt)}>
          <CappedText label={t('What the model is told about its tools')} text={prompt} lines={100} />
        </Fold>
      )}
      {followUp.length > 0 && (
        <Fold
          summary={t('What the model is sent next')}
          detail={hasRealResults ? t('results of the conversation') : t('made-up results')}
        >
          <div>
            {followUp.map((message, index) => (
              <SentView key={index} message={message} />
            ))}
          </div>
        </Fold>
      )}
    </>
  );
}

function SentView({ message: { role, text, left } }: { readonly message: SentMessage }): JSX.Element {
  return (
    <>
      <h3>{role}</h3>
      <CappedText label={role} text={text} lines={100} />
      {left > 0 && <p class="quiet">{t('{0} more characters', left.toLocaleString())}</p>}
    </>
  );
}
