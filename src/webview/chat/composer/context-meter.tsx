import type { JSX } from 'preact';
import { shortTokens } from '../../../base/short-tokens';
import type { Transcript } from '../../../core/transcript/transcript';
import type { CacheBreak } from '../../../core/words/model';
import { t } from '../../shared/l10n';
import { memo } from '../../shared/memo';
import { cacheBreakText, paceTexts } from '../../shared/usage-texts';
import { useChat } from '../chat-context';
import { sharesOf, sharesTexts, type Shares } from './context-bar';

/** Share of the window from which a warning is useful. */
const NEARLY_FULL = 0.8;

/** Shows how full the model's window is, and how much tools and instructions take. */
export function ContextMeter(): JSX.Element | null {
  const shown = useChat().shown.value;
  const use = shown && contextUse(shown.transcript);
  if (!use) return null;
  const { used, tools, instructions, window } = use;
  return <Meter {...{ used, tools, instructions, window }} details={detailsOf(use)} />;
}

interface MeterProps extends Pick<ContextUse, 'used' | 'tools' | 'instructions'> {
  readonly window: number | undefined;
  readonly details: string;
}

const Meter = memo(({ used, tools, instructions, window, details }: MeterProps): JSX.Element => {
  if (window === undefined) {
    return (
      <p class="context-meter" title={details}>
        <span class="context-numbers">{t('{0} tokens', shortTokens(used))}</span>
        <span class="unseen">{details}</span>
      </p>
    );
  }
  const part = (tokens: number): string => `${Math.min(100, (100 * tokens) / window)}%`;
  const said = t('{0} of {1} tokens', shortTokens(used), shortTokens(window));
  return (
    <div
      class={`context-meter ${used > window * NEARLY_FULL ? 'context-full' : ''}`}
      role="meter"
      aria-label={t('Context window')}
      aria-valuemin={0}
      aria-valuemax={window}
      aria-valuenow={Math.min(used, window)}
      aria-valuetext={`${said}. ${details}`}
      title={details}
    >
      <span class="context-track">
        <span class="context-part context-tools" style={{ width: part(tools) }} />
        <span class="context-part context-instructions" style={{ width: part(instructions) }} />
        <span class="context-part" style={{ width: part(used - tools - instructions) }} />
      </span>
      <span class="context-numbers">
        {said} · {percent(used / window)}
      </span>
    </div>
  );
});

function detailsOf({ used, tools, instructions, shares, cached, cacheBreak, pace }: ContextUse): string {
  const parts = t(
    'About {0} tokens, including the last answer: tools {1}, instructions {2}, conversation {3}.',
    used.toLocaleString(),
    tools.toLocaleString(),
    instructions.toLocaleString(),
    (used - tools - instructions).toLocaleString(),
  );
  return [
    parts,
    ...(shares ? sharesTexts(shares) : []),
    ...(cached === undefined ? [] : [t('{0} of them were cached by the server.', cached.toLocaleString())]),
    ...(cacheBreak ? [cacheBreakText(cacheBreak)] : []),
    ...(pace === undefined ? [] : [pace]),
  ].join(' ');
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(100 * share)} %`;
}

/** Tokens of the conversation in the model's window. */
interface ContextUse {
  readonly used: number;
  /** Parts that cannot shrink with the history. */
  readonly tools: number;
  readonly instructions: number;
  /** Parts of tools and conversation. Unknown in sessions of earlier versions, and after a summary. */
  readonly shares?: Shares;
  /** Tokens cached by the server from earlier requests, if it reports them. */
  readonly cached?: number;
  /** Why the server could not use its cache. */
  readonly cacheBreak?: CacheBreak;
  /** Time to the first token, and speed of the rest. */
  readonly pace?: string;
  /** The window, if known. */
  readonly window?: number;
}

/** Usage after the newest request and its answer; nothing before the first one. */
export function contextUse({ entries }: Pick<Transcript, 'entries'>): ContextUse | undefined {
  const at = entries.findLastIndex((entry) => entry.type === 'reply' && entry.size !== undefined);
  const reply = entries[at];
  if (reply?.type !== 'reply' || !reply.size) return undefined;
  const { size, usage, window } = reply;
  const shortened = entries.slice(at + 1).findLast((entry) => entry.type === 'compaction' && !entry.isUndone);
  // Counts of the server are better than our estimate.
  const asked = usage && usage.inputTokens > 0 ? usage.inputTokens + usage.outputTokens : size.total;
  const used = shortened?.type === 'compaction' ? size.fixed + shortened.after : asked;
  // The model's template dropped them.
  const isWithoutTools = reply.warnings.some(({ code }) => code === 'tools-not-in-template');
  const tools = isWithoutTools ? 0 : Math.min(size.tools, used);
  const instructions = Math.min(size.fixed - size.tools, used - tools);
  const conversation = used - tools - instructions;
  const answer = asked - (usage && usage.inputTokens > 0 ? usage.inputTokens : size.total);
  const shares =
    shortened || !size.parts
      ? undefined
      : sharesOf(size.parts, { tools, conversation, sent: Math.max(0, conversation - answer) });
  return {
    ...{ used, tools, instructions },
    ...(shares && { shares }),
    ...(reply.timing && { pace: paceTexts(reply).join(' · ') }),
    ...(usage?.cachedTokens !== undefined && { cached: usage.cachedTokens }),
    ...(reply.cacheBreak && { cacheBreak: reply.cacheBreak }),
    ...(window !== undefined && { window }),
  };
}
