import { visibleText } from '../../base/text';
import type { AllowedNext, ReplyForm } from '../../contract/lab-parse';
import type { CharSet } from '../../core/words/grammar';
import { t } from '../shared/l10n';

/** Whether the reply matches the form of its protocol, in a word or two. */
export function formDetail(form: ReplyForm): string {
  if (form.type === 'none') return t('none');
  const { match } = form;
  switch (match.type) {
    case 'whole':
      return t('matches');
    case 'unfinished':
      return t('the reply ends too early');
    case 'left':
      return t('violated at {0}', `${match.place.line}:${match.place.column}`);
    case 'stopped':
      return t('not checked to the end');
  }
}

/** The same as a sentence. */
export function formSentence(form: ReplyForm): string {
  if (form.type === 'none') {
    return form.why === 'native'
      ? t('This protocol has no grammar: calls are sent through the API.')
      : t('There is no form without tools. Select tools above.');
  }
  const { match } = form;
  switch (match.type) {
    case 'whole':
      return t('The reply matches the form.');
    case 'unfinished':
      return t('The reply matches the form but ends too early.');
    case 'left':
      return t('The reply violates the form at line {0}, column {1}.', match.place.line, match.place.column);
    case 'stopped':
      return t(
        'The first {0} characters match the form. The rest was not checked because it would take too long.',
        match.at.toLocaleString(),
      );
  }
}

/** What may come next, one item each. */
export function allowedTexts({ texts, more, chars, mayEnd }: AllowedNext): readonly AllowedText[] {
  return [
    ...texts.map(({ written, rest }): AllowedText => {
      const name = written === '' ? charName(rest) : undefined;
      return name === undefined ? { written: drawn(written), rest: drawn(rest) } : { name };
    }),
    ...(more > 0 ? [{ name: t('and {0} more', more) }] : []),
    ...(chars ? [{ name: charsText(chars) }] : []),
    ...(mayEnd ? [{ name: t('the end of the reply') }] : []),
  ];
}

/** As it would appear in the reply, or in words. */
type AllowedText = { readonly written: string; readonly rest: string } | { readonly name: string };

function charsText({ isNegated, ranges }: CharSet): string {
  const named = ranges.map(rangeText).join(' ');
  if (!isNegated) return t('one of these characters: {0}', named);
  return named === '' ? t('any character') : t('any character except {0}', named);
}

function rangeText([from, to]: CharSet['ranges'][number]): string {
  if (from === '\0' && to === '\x1f') return t('(control character)');
  const [first, last] = [from, to].map((char) => charName(char) ?? visibleText(char));
  return from === to ? `${first}` : `${first}–${last}`;
}

/** Names of invisible characters. */
function charName(char: string): string | undefined {
  switch (char) {
    case ' ':
      return t('(space)');
    case '\n':
      return t('(line break)');
    case '\t':
      return t('(tab)');
    default:
      return undefined;
  }
}

/** On one line, with all characters visible. */
export function drawn(text: string): string {
  return visibleText(text).replaceAll('\r', '␍').replaceAll('\n', '↵').replaceAll('\t', '⇥');
}
