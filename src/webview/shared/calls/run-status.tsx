import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import { activityOf } from '../../../core/transcript/activity';
import type { ReplyEntry, Transcript } from '../../../core/transcript/transcript';
import type { ProgressDelta } from '../../../core/words/model';
import { secondsText, t, translated } from '../l10n';

/** Activity of a run. */
export type Doing =
  | { readonly type: 'summarizing' | 'calling' }
  /** The request goes out once more; in a sentence of its own. */
  | { readonly type: 'retrying'; readonly message: string }
  | { readonly type: 'asking'; readonly reply?: ReplyEntry }
  | { readonly type: 'writing'; readonly characters: number; readonly perToken: number };

/** Shows the activity of a run with live numbers. */
export function RunStatus({ transcript }: { readonly transcript: Transcript }): JSX.Element | null {
  const doing = doingOf(transcript);
  const pace = usePace(doing, transcript);
  if (!doing) return null;
  if (doing.type === 'retrying') return <p class="retrying">{visibleText(translated(doing.message))}</p>;
  return (
    // Streaming text is announced already.
    <p class="run-status" aria-live={doing.type === 'writing' ? 'off' : undefined}>
      <span class="thinking">{wordsFor(doing)}</span>
      <span aria-live="off">{['', ...numbersFor(doing, pace)].join(' · ')}</span>
    </p>
  );
}

/** Activity of a run. Nothing if no run is in progress or it waits for the user, which is visible elsewhere. */
export function doingOf(transcript: Transcript): Doing | undefined {
  const activity = activityOf(transcript);
  switch (activity.type) {
    case 'idle':
    case 'waiting':
      return undefined;
    case 'calls':
      return { type: 'calling' };
    case 'summarizing':
      return transcript.summaryNote === undefined
        ? { type: 'summarizing' }
        : { type: 'retrying', message: transcript.summaryNote };
    case 'reply': {
      const last = transcript.entries.at(-1);
      const reply = last?.type === 'reply' && last.ended === undefined ? last : undefined;
      if (reply && reply.parts.length > 0)
        return { type: 'writing', characters: charactersIn(reply), perToken: charactersPerToken(transcript) };
      if (reply?.retry) return { type: 'retrying', message: reply.retry.message };
      return { type: 'asking', ...(reply && { reply }) };
    }
  }
}

/** Times in milliseconds: duration of this activity, and time since the last output. */
export interface Pace {
  readonly elapsedMs: number;
  readonly silentMs: number;
}

/** A pause in a reply that is worth showing. */
const SILENT_MS = 10_000;

/** The numbers behind the words, each with its unit. */
export function numbersFor(doing: Doing, { elapsedMs, silentMs }: Pace): readonly string[] {
  if (doing.type !== 'writing') {
    const reply = doing.type === 'asking' ? doing.reply : undefined;
    const prompt = reply?.progress?.prompt;
    return [
      ...(prompt && prompt.all > 0 ? [t('{0} %', Math.floor((100 * prompt.read) / prompt.all))] : []),
      ...(elapsedMs >= 1000 ? [secondsText(elapsedMs)] : []),
      ...(reply && reply.round > 1 ? [t('round {0} of {1}', reply.round, reply.maxRounds)] : []),
    ];
  }
  const tokens = Math.ceil(doing.characters / doing.perToken);
  const speed = elapsedMs >= 1000 ? Math.round((1000 * tokens) / elapsedMs) : 0;
  return [
    t('about {0} tokens', tokens.toLocaleString()),
    ...(silentMs >= SILENT_MS
      ? [t('no output for {0}', secondsText(silentMs))]
      : speed > 0
        ? [t('{0} per second', speed.toLocaleString())]
        : []),
  ];
}

function wordsFor(doing: Exclude<Doing, { readonly type: 'retrying' }>): string {
  switch (doing.type) {
    case 'summarizing':
      return t('Summarizing older messages');
    case 'calling':
      return t('Running');
    case 'writing':
      return t('Writing');
    case 'asking':
      return serverWords(doing.reply?.progress);
  }
}

function serverWords(progress: ProgressDelta | undefined): string {
  switch (progress?.stage) {
    case 'loading':
      return t('The server is loading the model');
    case 'busy':
      return t('The server is still finishing the last request');
    case 'reading':
      return t('Reading the prompt');
    case 'taken':
      return t('The server is working');
    case undefined:
      return t('Waiting for the model');
  }
}

/** Counts from when this page first saw the activity, because events carry no time. */
function usePace(doing: Doing | undefined, { replies }: Transcript): Pace {
  const [now, setNow] = useState(() => performance.now());
  const size = doing?.type === 'writing' ? doing.characters : 0;
  const name =
    doing && `${replies} ${doing.type} ${doing.type === 'asking' ? doing.reply?.progress?.stage : ''}`;
  const seen = useRef({ name, size, since: now, changed: now });
  const time = Math.max(now, seen.current.changed);
  if (seen.current.name !== name) {
    const start = performance.now();
    seen.current = { name, size, since: start, changed: start };
  } else if (seen.current.size !== size) {
    seen.current = { ...seen.current, size, changed: performance.now() };
  }
  const isRunning = doing !== undefined && doing.type !== 'retrying';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const { since, changed } = seen.current;
  return { elapsedMs: Math.max(0, time - since), silentMs: Math.max(0, time - changed) };
}

/** Average characters per token of model output; each counted reply corrects it for its model. */
const PER_TOKEN = 4;

function charactersPerToken({ entries }: Transcript): number {
  const counted = entries.findLast(
    (entry) => entry.type === 'reply' && entry.usage !== undefined && entry.usage.outputTokens > 0,
  );
  if (counted?.type !== 'reply' || !counted.usage) return PER_TOKEN;
  return Math.min(8, Math.max(1, charactersIn(counted) / counted.usage.outputTokens));
}

function charactersIn({ parts }: ReplyEntry): number {
  return parts.reduce((sum, part) => {
    if (part.type !== 'call') return sum + part.text.length;
    const drafted = part.draft.reduce((length, { text }) => length + text.length, part.name.length);
    const { state } = part;
    return sum + drafted + ('call' in state ? JSON.stringify(state.call.arguments).length : 0);
  }, 0);
}
