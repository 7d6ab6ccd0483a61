import { PathFit } from '../../base/path-fit';
import type { Completion, PathCompletion, ResourceCompletion } from '../../contract/chat';
import { resourceFits, writeMention, type MentionDraft } from '../../core/mentions';
import { t } from '../shared/l10n';
import type { Suggestion } from './use-suggestions';

export interface Completed {
  /** What the host has found to fit. */
  readonly items: readonly Completion[];
  readonly hasResources: boolean;
}

/** The kinds that begin with what is written, then what the host has found to fit. */
export function mentionOptions(
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
    { icon: 'file', text: '@file:', detail: t('A file, or a picture'), isWhole: false },
    { icon: 'folder', text: '@folder:', detail: t('What is in a folder'), isWhole: false },
    { icon: 'error', text: '@problems', detail: t('Errors and warnings'), isWhole: true },
    { icon: 'terminal', text: '@terminal', detail: t('The last command and its output'), isWhole: true },
  ];
  return kinds.map((kind) => ({ ...kind, name: kind.text }));
}

function resourceKind(): Suggestion {
  const text = '@mcp:';
  return { icon: 'mcp', name: text, text, detail: t('What an MCP server has'), isWhole: false };
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
