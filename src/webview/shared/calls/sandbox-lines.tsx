import type { JSX } from 'preact';
import { visibleText } from '../../../base/text';
import type { SandboxBounds } from '../../../core/words/tool';
import { Icon } from '../icon';
import { t } from '../l10n';
import { useCallHost } from './call-context';

/** Shows that a command runs in the sandbox, and what it may do there. */
export function SandboxLine({
  bounds: { sites },
  hasRun = false,
}: {
  readonly bounds: SandboxBounds;
  readonly hasRun?: boolean;
}): JSX.Element {
  const named = visibleText(sites.join(', '));
  const ran =
    sites.length === 0
      ? t('Ran in the sandbox: no network, can write only to this folder.')
      : t('Ran in the sandbox: can reach only {0}, can write only to this folder.', named);
  const runs =
    sites.length === 0
      ? t('Runs in the sandbox: no network, can write only to this folder.')
      : t('Runs in the sandbox: can reach only {0}, can write only to this folder.', named);
  return (
    <p class="sandbox-line">
      <Icon name="lock" />
      <span>{hasRun ? ran : runs}</span>
    </p>
  );
}

/** Shown at the first command that asks, if a sandbox would be possible but is off. */
export function SandboxOffer({ callId }: { readonly callId: string }): JSX.Element | null {
  const { sandboxOffer } = useCallHost();
  if (sandboxOffer?.callId.value !== callId) return null;
  const choose = (event: MouseEvent, choice: 'set-up' | 'decline'): void => {
    // The line disappears, and the focus with it.
    if (event.currentTarget instanceof Element)
      event.currentTarget.closest<HTMLElement>('.call')?.focus({ preventScroll: true });
    sandboxOffer.choose(choice);
  };
  return (
    <p class="sandbox-line sandbox-offer">
      <Icon name="lock" />
      <span>{t('Commands can run in a sandbox.')}</span>
      <button type="button" class="link-button" onClick={(event) => choose(event, 'set-up')}>
        {t('Set Up Sandbox…')}
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t("Don't show again")}
        title={t("Don't show again")}
        onClick={(event) => choose(event, 'decline')}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}
