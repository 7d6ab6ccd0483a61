import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { DoctorToHost } from '../../contract/lab-doctor';
import type { GatewayToHost } from '../../contract/lab-gateway';
import { t } from '../shared/l10n';
import { useLab } from './lab-state';

type ParseType = 'parse-served' | 'parse-exam';
type ParseRequest = Omit<Extract<GatewayToHost | DoctorToHost, { type: ParseType }>, 'id'>;

interface Props {
  /** Ids of replies; each gets a button. */
  readonly count: number;
  /** Asks the host to open the reply with this index. */
  readonly message: (reply: number) => ParseRequest;
}

/** Opens replies in the Parse tab. */
export function ParseButtons({ count, message }: Props): JSX.Element | null {
  const lab = useLab();
  const [problem, setProblem] = useState<string>();
  const open = async (reply: number): Promise<void> => {
    const answer = await lab.request<ParseType>(message(reply));
    if (!answer.ok) setProblem(answer.problem);
    else setProblem(answer.value ? undefined : t('This reply is no longer available. Open another one.'));
  };
  if (count === 0) return null;
  return (
    <div class="served-buttons">
      {Array.from({ length: count }, (_, reply) => (
        <button key={reply} type="button" class="link-button" onClick={() => void open(reply)}>
          {count === 1 ? t('Open in Parse') : t('Open Reply {0} in Parse', reply + 1)}
        </button>
      ))}
      {problem !== undefined && <span role="alert">{visibleText(problem)}</span>}
    </div>
  );
}
