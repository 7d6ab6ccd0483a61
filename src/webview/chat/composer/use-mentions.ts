import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PathFit } from '../../../base/path-fit';
import type { Completion, PathCompletion, ResourceCompletion } from '../../../contract/chat';
import { most } from '../../../contract/most';
import { draftBefore, resourceFits, writeMention, type MentionDraft } from '../../../core/mentions';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';
import { useSuggestions, type Suggestion, type Suggestions } from './suggestions';

/** Milliseconds without a key before the host is asked. */
const QUIET = 60;

/** Completes the mention that is being typed in the message box. */
export function useMentions(box: RefObject<HTMLTextAreaElement | null>): Suggestions {
  const chat = useChat();
  const [draft, setDraft] = useState<MentionDraft>();
  /** Start of the mention whose list the user closed. */
  const closedAt = useRef<number | undefined>(undefined);
  /** The first request to the host about this mention. */
  const firstAsked = useRef(Infinity);

  const { id, items } = chat.completions.value;
  useLayoutEffect(() => {
    firstAsked.current = Infinity;
  }, [draft?.start, draft?.type]);
  useEffect(() => {
    if (!draft) return undefined;
    const timer = setTimeout(() => {
      const asked = chat.complete(draft.query.slice(0, most.query), draft.type);
      firstAsked.current = Math.min(firstAsked.current, asked);
    }, QUIET);
    return () => clearTimeout(timer);
  }, [draft?.start, draft?.query, draft?.type]);

  // Earlier results stay until the next answer, as long as they match.
  const { hasResources } = chat.servers.value;
  const found = { items: id >= firstAsked.current ? items : [], hasResources };
  const options = draft ? mentionOptions(draft, found) : [];

  const close = (): void => {
    closedAt.current = draft?.start;
    setDraft(undefined);
  };
  const onCaret = (): void => {
    const area = box.current;
    if (area === null || document.activeElement !== area) return;
    const { selectionStart, selectionEnd, value } = area;
    const found = selectionStart === selectionEnd ? draftBefore(selectionStart, value) : undefined;
    if (found?.start !== closedAt.current) closedAt.current = undefined;
    const next = closedAt.current === undefined ? found : undefined;
    // A new object for the same mention would reset the selection to the first option.
    if (JSON.stringify(next) !== JSON.stringify(draft)) setDraft(next);
  };
  // Also runs for changes that were not typed: a sent message removes its mentions.
  useLayoutEffect(onCaret, [chat.draft.value]);
  // The box's own `select` event does not report caret moves.
  useLayoutEffect(() => {
    document.addEventListener('selectionchange', onCaret);
    return () => document.removeEventListener('selectionchange', onCaret);
  });
  const take = ({ text, isWhole }: Suggestion): void => {
    const area = box.current;
    // The caret may have moved since the list was drawn.
    const written = area === null ? undefined : mentionAt(area.selectionStart, area.value, text);
    if (area === null || !written) return;
    const isFollowed = /^\s/.test(area.value.slice(written.end));
    area.setRangeText(isWhole && !isFollowed ? `${text} ` : text, written.start, written.end, 'end');
    if (isWhole && isFollowed) area.selectionStart += 1;
    chat.write(area.value);
  };
  const isBegun = ({ text }: Suggestion): boolean => {
    const area = box.current;
    const written = area === null ? undefined : mentionAt(area.selectionStart, area.value, text);
    return written !== undefined && area?.value.slice(written.start, written.end) !== text;
  };
  return useSuggestions({
    ...{ id: 'mention', label: t('Mentions'), options, isBegun, take, close },
    query: draft ? JSON.stringify(draft) : '',
  });
}

/** Offsets in the text, end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that an accepted mention replaces: the typed part before the caret, and the text after it as far as the
 * mention matches. Nothing if the caret is not in a mention.
 */
export function mentionAt(caret: number, text: string, taken: string): Span | undefined {
  const draft = draftBefore(caret, text);
  if (!draft) return undefined;
  const written = text.slice(draft.start, caret);
  const rest = (written.includes('"') ? QUOTED_REST : PLAIN_REST).exec(text.slice(caret))?.[0] ?? '';
  const isMeant = taken.toLowerCase().includes(rest.replace('"', '').toLowerCase());
  return { start: draft.start, end: caret + (isMeant ? rest.length : 0) };
}

// A quotation mark before a letter opens another quotation.
const QUOTED_REST = /^[^"\n]*"(?![\p{L}\p{N}])/u;

// Without punctuation that may end a sentence or bracket.
const PLAIN_REST = /^[^\s"@]*[^\s"@.,;:!?'`*)\]}>]/u;

interface Completed {
  /** Matches reported by the host. */
  readonly items: readonly Completion[];
  readonly hasResources: boolean;
}

/** Kinds that begin with the typed text, then the matches of the host. */
function mentionOptions(
  { type, query }: MentionDraft,
  { items, hasResources }: Completed,
): readonly Suggestion[] {
  const resources = items.filter((each) => each.type === 'resource');
  if (type === 'resource')
    return resources.filter((each) => resourceFits(query, each)).flatMap(resourceOption);
  const begun = query.toLowerCase();
  const all = [...kindOptions(), ...(hasResources ? [resourceKind()] : [])];
  const kinds = type === undefined ? all.filter(({ text }) => text.slice(1).startsWith(begun)) : [];
  const paths = items.filter((each) => each.type !== 'resource');
  const fit = new PathFit(query);
  const rank = ({ path }: PathCompletion): number => fit.rank(path.replace(/\/$/, ''));
  const fitting = paths.filter((each) => rank(each) < Infinity).sort((a, b) => rank(a) - rank(b));
  return [...kinds, ...fitting.flatMap(pathOption)];
}

function kindOptions(): readonly Suggestion[] {
  const kinds = [
    { icon: 'file', text: '@file:', detail: t('File or image'), isWhole: false },
    { icon: 'folder', text: '@folder:', detail: t('Folder contents'), isWhole: false },
    { icon: 'error', text: '@problems', detail: t('Errors and warnings'), isWhole: true },
    { icon: 'terminal', text: '@terminal', detail: t('Last command and its output'), isWhole: true },
  ];
  return kinds.map((kind) => ({ ...kind, name: kind.text }));
}

function resourceKind(): Suggestion {
  const text = '@mcp:';
  return { icon: 'mcp', name: text, text, detail: t('Resource from an MCP server'), isWhole: false };
}

function resourceOption({ server, uri, name }: ResourceCompletion): readonly Suggestion[] {
  const text = writeMention({ type: 'resource', server, uri });
  return text === undefined ? [] : [{ icon: 'mcp', name, detail: `${server}: ${uri}`, text, isWhole: true }];
}

function pathOption({ type, path }: PathCompletion): readonly Suggestion[] {
  const text = writeMention({ type, path });
  if (text === undefined) return [];
  const cut = path.replace(/\/$/, '').lastIndexOf('/') + 1;
  const option = { icon: type, name: path.slice(cut), detail: path.slice(0, cut) };
  return [{ ...option, text, isWhole: true }];
}
