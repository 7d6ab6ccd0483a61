import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { visibleText } from '../../base/text';
import { changedFiles } from '../../core/transcript/file-changes';
import type { Transcript } from '../../core/transcript/transcript';
import { ABSENT, type FileChange } from '../../core/words/file-change';
import { Icon } from '../shared/icon';
import { useKept } from '../shared/kept';
import { t } from '../shared/l10n';
import { memo } from '../shared/memo';
import { useChat } from './chat-context';

interface Props {
  readonly changes: Transcript['changes'];
}

/** Files changed by this conversation. Each opens its diff. */
export const ChangedFiles = memo(({ changes }: Props): JSX.Element | null => {
  const chat = useChat();
  const [isOpen, setOpen] = useKept<boolean>('changed files', false);
  const files = useMemo(() => changedFiles({ changes }), [changes]);
  if (files.length === 0) return null;
  return (
    <details class="changed-files" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{t('Files changed')}</span>
        <span class="quiet fold-detail">{files.length}</span>
      </summary>
      <ul role="list" aria-label={t('Files changed')}>
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              class="changed-file"
              title={t('Open the changes of {0}', visibleText(file.display))}
              onClick={() => chat.post({ type: 'show-change', path: file.path })}
            >
              <Icon name={iconOf(file)} />
              <span class="changed-file-name">
                {visibleText(file.display.slice(nameStart(file)))}{' '}
                <span class="quiet">{visibleText(file.display.slice(0, nameStart(file)))}</span>
              </span>
              <span class="quiet">{stateOf(file)}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
});

/** The name comes first because users look for it, and it stays visible when space is short. */
function nameStart({ display }: FileChange): number {
  return display.lastIndexOf('/') + 1;
}

function iconOf({ before, after }: FileChange): string {
  if (after === ABSENT) return 'diff-removed';
  return before === ABSENT ? 'diff-added' : 'diff-modified';
}

function stateOf({ before, after }: FileChange): string {
  if (after === undefined) return t('interrupted');
  if (after === ABSENT) return t('deleted');
  return before === ABSENT ? t('created') : t('changed');
}
