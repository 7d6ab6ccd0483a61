import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import type { ApprovalRequest } from '../../../core/words/approval';
import type { ToolCall } from '../../../core/words/messages';
import type { Preview } from '../../../core/words/tool';
import { Icon } from '../icon';
import { useKept } from '../kept';
import { t } from '../l10n';
import { sizeOf } from '../text/capped-text';
import { useOverflow } from '../use-overflow';
import { ArgumentsView } from './arguments-view';
import { useCallHost } from './call-context';
import { countChanges, lineDiff, type DiffLine } from './line-diff';

interface ProposalProps {
  readonly call: ToolCall;
  readonly request: ApprovalRequest | undefined;
  /** The host still has the change. */
  readonly canOpenDiff?: boolean;
}

/** Preview of the call: the change, the command, or else its arguments. */
export function Proposal({ call, request, canOpenDiff = false }: ProposalProps): JSX.Element | null {
  const preview = request?.preview;
  switch (preview?.type) {
    case 'diff':
      return (
        <DiffPreview
          callId={canOpenDiff ? call.id : undefined}
          before={preview.before}
          after={preview.after}
          runsCode={preview.runsCode === true}
        />
      );
    case 'command':
      return <CommandPreview preview={preview} />;
    case undefined:
      return <ArgumentsView values={request?.edited ?? call.arguments} />;
  }
}

interface CommandPreviewProps {
  readonly preview: Extract<Preview, { readonly type: 'command' }>;
}

/** A command exactly as it runs, its folder, and its simple commands. */
function CommandPreview({ preview }: CommandPreviewProps): JSX.Element {
  const { command, cwd, commands, setup } = preview;
  const box = useRef<HTMLPreElement>(null);
  const isCut = useOverflow(box);
  return (
    <div class="command">
      {/* In a box of limited height, so that its beginning and the buttons can be seen together. */}
      <pre class="command-text" role="group" aria-label={t('Command')} tabIndex={0} ref={box}>
        {commandText(command)}
      </pre>
      {isCut && <p class="command-cut">{t('Scroll to read the whole command: {0}', sizeOf(command))}</p>}
      <p class="quiet">{t('in {0}', visibleText(cwd))}</p>
      {setup !== undefined && (
        <p class="quiet">{t('After the line of your settings: {0}', commandText(setup))}</p>
      )}
      {commands.length === 0 && <p class="quiet">{t('The commands in it could not be separated.')}</p>}
      {commands.length > 1 && (
        <>
          <p class="quiet">{t('Runs {0} commands:', commands.length)}</p>
          <ol class="command-parts" aria-label={t('Commands')} tabIndex={0}>
            {commands.map((words, index) => (
              <li key={index}>
                <code>{commandText(words.map(quoted).join(' '))}</code>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function quoted(word: string): string {
  return /^[^\s'"]+$/.test(word) ? word : `'${word}'`;
}

/** A command as it is approved: invisible characters are shown, and unusual blanks are marked. */
function commandText(command: string): string {
  return showPadding(visibleText(command)).replace(
    OTHER_BLANK,
    (blank) => `⟨U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** A shell treats it as part of a word. */
const OTHER_BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

const LINES_AT_FIRST = 40;
const MARKS = { same: ' ', removed: '−', added: '+', gap: '⋯' } as const;

interface DiffPreviewProps {
  /** For a call whose change the host can open in the diff editor. */
  readonly callId: string | undefined;
  readonly before: string;
  readonly after: string;
  /** A warning that the written file may run later. */
  readonly runsCode: boolean;
}

/** The changed lines with some context. */
function DiffPreview({ callId, before, after, runsCode }: DiffPreviewProps): JSX.Element {
  const page = useCallHost();
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const [isWhole, setWhole] = useKept<boolean>('whole diff', false);
  const { added, removed } = countChanges(lines);
  const shown = isWhole ? lines : lines.slice(0, LINES_AT_FIRST);
  return (
    <div class="diff">
      <div class="diff-header">
        <span class="diff-count">
          <span class="unseen">{t('{0} lines added, {1} removed', added, removed)}</span>
          <span class="diff-added-count" aria-hidden="true">
            +{added}
          </span>
          <span class="diff-removed-count" aria-hidden="true">
            −{removed}
          </span>
        </span>
        {runsCode && (
          <span class="badge" title={t('Builds, tests or scripts may run this file.')}>
            <Icon name="play" />
            {t('Runs code')}
          </span>
        )}
        {callId !== undefined && (
          <button type="button" class="link-button" onClick={() => page.showDiff(callId)}>
            <Icon name="diff" />
            {t('Open diff')}
          </button>
        )}
      </div>
      <div class="text-box diff-lines" role="group" aria-label={t('Changes')} tabIndex={0}>
        <div class="diff-table">
          {added + removed === 0 && <div class="diff-line quiet">{t('Only line endings change.')}</div>}
          {shown.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </div>
        {shown.length < lines.length && (
          <button type="button" class="link-button" onClick={() => setWhole(true)}>
            {t('Show all {0} lines', lines.length)}
          </button>
        )}
      </div>
    </div>
  );
}

function Line({ line }: { readonly line: DiffLine }): JSX.Element {
  return (
    <div class={`diff-line diff-${line.type}`}>
      <span class="diff-mark">{MARKS[line.type]}</span>
      {line.type !== 'gap' && showInnerPadding(visibleText(line.text))}
    </div>
  );
}

/** Long runs of blanks or empty lines can push the rest out of view, so they are shown as a count. */
function showPadding(text: string): string {
  return text
    .replace(BLANKS, (blanks) => t(' ⟨{0} blanks⟩ ', blanks.length))
    .replace(EMPTY_LINES, (lines) => t('\n⟨{0} empty lines⟩\n', lines.split('\n').length - 2));
}

/** The same for lines that may be indented. */
function showInnerPadding(line: string): string {
  const indentation = /^\s*/.exec(line)?.[0] ?? '';
  const rest = line.slice(indentation.length);
  return (indentation.length > MOST_INDENTATION ? showPadding(indentation) : indentation) + showPadding(rest);
}

const MOST_INDENTATION = 60;

const BLANKS = /[^\S\n]{24,}/g;

/** Longer blanks were replaced before. */
const EMPTY_LINES = /\n(?:[^\S\n]{0,60}\n){5,}/g;
