import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { visibleText } from '../../base/text';
import { offeredChanges } from '../../core/transcript/file-changes';
import type { Transcript } from '../../core/transcript/transcript';
import { ABSENT, type FileChange, type LineCounts } from '../../core/words/file-change';
import { Icon } from '../shared/icon';
import { useKept } from '../shared/kept';
import { t } from '../shared/l10n';
import { memo } from '../shared/memo';
import { useChat } from './chat-context';

interface Props {
  readonly changes: Transcript['changes'];
  /** Index of the message that began the last run. */
  readonly run: number;
  readonly running: boolean;
}

/** Files that this conversation has changed and the user has not settled yet: keeps or undoes each, or all. */
export const ChangedFiles = memo(({ changes, run, running }: Props): JSX.Element | null => {
  const chat = useChat();
  const [isOpen, setOpen] = useKept<boolean>('changed files', false);
  const [isOfRun, setOfRun] = useKept<boolean>('changes of this run', false);
  const all = useMemo(() => offeredChanges({ changes }), [changes]);
  const ofRun = useMemo(() => offeredChanges({ changes }, run), [changes, run]);
  if (all.length === 0) return null;
  const files = isOfRun ? ofRun : all;
  const entry = isOfRun ? run : 0;
  const settle = (how: 'keep' | 'undo', those: readonly FileChange[]): void => {
    chat.post({ type: 'settle-changes', how, entry, paths: those.map(({ path }) => path) });
    // The row disappears, and the focus with it.
    chat.requestFocus();
  };
  return (
    <section class="changed-files" aria-label={t('Changes')}>
      <div class="changes-head">
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <span>{t('Files changed')}</span>
            <span class="quiet fold-detail">{files.length}</span>
            <Counts lines={sumOf(files)} />
          </summary>
        </details>
        {ofRun.length > 0 && ofRun.length < all.length && (
          <button type="button" class="link-button" aria-pressed={isOfRun} onClick={() => setOfRun(!isOfRun)}>
            {t('Only this run')}
          </button>
        )}
        {files.length > 0 && (
          <SettleButtons
            names={{ keep: t('Keep all'), undo: t('Undo all') }}
            question={t('Undo the changes to {0} files?', files.length)}
            disabled={running}
            onKeep={() => settle('keep', files)}
            onUndo={() => settle('undo', files)}
          />
        )}
      </div>
      {isOpen && (
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
                <Counts lines={file.lines} />
                <span class="quiet">{stateOf(file)}</span>
              </button>
              <SettleButtons
                names={{ keep: t('Keep'), undo: t('Undo') }}
                question={t('Undo the changes to this file?')}
                disabled={running}
                onKeep={() => settle('keep', [file])}
                onUndo={() => settle('undo', [file])}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
});

interface SettleProps {
  readonly names: { readonly keep: string; readonly undo: string };
  readonly question: string;
  /** Files cannot be restored during a run. */
  readonly disabled: boolean;
  readonly onKeep: () => void;
  readonly onUndo: () => void;
}

/** Keeps or undoes. Undoing asks once more, where it was clicked. */
function SettleButtons({ names, question, disabled, onKeep, onUndo }: SettleProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useLayoutEffect(() => {
    if (isAsking !== wasAsking.current) first.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  const once = (act: () => void) => (event: MouseEvent) => {
    // The second click of a double click was meant for the button before.
    if (event.detail < 2) act();
  };
  const button = (label: string, act: () => void, isFirst = false): JSX.Element => (
    <button
      key={label}
      type="button"
      class="link-button"
      disabled={disabled && act !== onKeep}
      {...(isFirst && { ref: first })}
      onClick={once(act)}
    >
      {label}
    </button>
  );
  return isAsking ? (
    <span class="settle-buttons" role="group" aria-label={question}>
      <span>{question}</span>
      {button(names.undo, onUndo, true)}
      {button(t('Cancel'), () => setAsking(false))}
    </span>
  ) : (
    <span class="settle-buttons">
      {button(names.keep, onKeep)}
      {button(names.undo, () => setAsking(true), true)}
    </span>
  );
}

function Counts({ lines }: { readonly lines: LineCounts | undefined }): JSX.Element | null {
  return lines === undefined ? null : (
    <span class="diff-count">
      <span class="unseen">{t('{0} lines added, {1} removed', lines.added, lines.removed)}</span>
      <span class="diff-added-count" aria-hidden="true">
        +{lines.added}
      </span>
      <span class="diff-removed-count" aria-hidden="true">
        −{lines.removed}
      </span>
    </span>
  );
}

/** Nothing if the lines of a file were not counted. */
function sumOf(files: readonly FileChange[]): LineCounts | undefined {
  return files.reduce<LineCounts | undefined>(
    (sum, { lines }) =>
      sum && lines && { added: sum.added + lines.added, removed: sum.removed + lines.removed },
    { added: 0, removed: 0 },
  );
}

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
