import { PathFit } from '../../base/path-fit';
import type { PathCompletion } from '../../contract/chat';
import { writeMention, type MentionDraft } from '../../core/mentions';
import { t } from '../shared/l10n';
import type { Suggestion } from './use-suggestions';

/** The kinds that begin with what is written, then the paths that the host has found to fit. */
export function mentionOptions(
  { type, query }: MentionDraft,
  paths: readonly PathCompletion[],
): readonly Suggestion[] {
  const begun = query.toLowerCase();
  const kinds = type === undefined ? kindOptions().filter(({ text }) => text.slice(1).startsWith(begun)) : [];
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

function pathOption({ type, path }: PathCompletion): readonly Suggestion[] {
  const text = writeMention({ type, path });
  if (text === undefined) return [];
  const cut = path.replace(/\/$/, '').lastIndexOf('/') + 1;
  const option = { icon: type, name: path.slice(cut), detail: path.slice(0, cut) };
  return [{ ...option, text, isWhole: true }];
}
