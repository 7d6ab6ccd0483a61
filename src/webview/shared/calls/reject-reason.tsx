import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { most } from '../../../contract/most';
import { useKept } from '../kept';
import { t } from '../l10n';
import { isComposing } from '../is-composing';
import { mayFollowClick } from '../may-take-focus';

interface Props {
  readonly disabled: boolean;
  readonly onConfirm: (reason: string) => void;
  readonly onCancel: () => void;
}

/** One line for the model: why not. */
export function RejectReason({ disabled, onConfirm, onCancel }: Props): JSX.Element {
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
        placeholder={t('Enter rejects with this reason, Escape goes back')}
        onInput={(event) => setReason(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}
