import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { slashDraft } from '../../../core/slash-commands';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';
import { commandHelp } from './help-panel';
import { useSuggestions, type Suggestion, type Suggestions } from './suggestions';

/** Completes the command at the start of the message: one of ours, a skill, or a prompt of a server. */
export function useCommands(box: RefObject<HTMLTextAreaElement | null>): Suggestions {
  const chat = useChat();
  const [draft, setDraft] = useState<string>();
  const [isClosed, setClosed] = useState(false);

  const onCaret = (): void => {
    const area = box.current;
    if (area === null || document.activeElement !== area) return;
    const found =
      area.selectionStart === area.selectionEnd ? slashDraft(area.selectionStart, area.value) : undefined;
    setDraft(found);
    if (found === undefined) setClosed(false);
  };
  useLayoutEffect(onCaret, [chat.draft.value]);
  useLayoutEffect(() => {
    document.addEventListener('selectionchange', onCaret);
    return () => document.removeEventListener('selectionchange', onCaret);
  });
  const isBegunAtAll = draft !== undefined;
  useEffect(() => {
    // The prompts may have changed since.
    if (isBegunAtAll) chat.post({ type: 'list-skills' });
  }, [isBegunAtAll]);

  const skills = chat.skills.value.map(({ name, description }) => ({
    name,
    detail: description,
    icon: 'mortar-board',
  }));
  const own = commandHelp().map(({ command, detail }) => ({ name: command, detail, icon: 'terminal' }));
  const prompts = chat.servers.value.prompts.map(({ name, description, server }) => ({
    name,
    detail: description === '' ? t('Prompt from the MCP server {0}', server) : description,
    icon: 'mcp',
  }));
  const options = isBegunAtAll && !isClosed ? fitting(draft, [...own, ...skills, ...prompts]) : [];
  return useSuggestions({
    ...{ id: 'command', label: t('Commands'), query: draft ?? '', options },
    isBegun: ({ text }) => text !== `/${draft ?? ''}`,
    take: ({ text }) => {
      const area = box.current;
      if (area === null) return;
      const rest = area.value.slice(area.selectionStart);
      // A skill is followed by its input.
      const isSkill = skills.some(({ name }) => text === `/${name}`);
      const written = isSkill && !rest.startsWith(' ') ? `${text} ` : text;
      area.setRangeText(written, 0, area.selectionStart, 'end');
      chat.write(area.value);
    },
    close: () => setClosed(true),
  });
}

/** Commands that begin with the typed text, the first of each name. */
function fitting(
  draft: string,
  all: readonly { readonly name: string; readonly detail: string; readonly icon: string }[],
): readonly Suggestion[] {
  const begun = draft.toLowerCase();
  const named = all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
  return named
    .filter(({ name }) => name.toLowerCase().startsWith(begun))
    .map(({ name, detail, icon }) => ({
      ...{ icon, detail, name: `/${name}`, text: `/${name}`, isWhole: true },
    }));
}
