import type * as vscode from 'vscode';
import type { LessonBook, Lessons } from '../../models/learned';
import type { ModelProfile } from '../../models/profiles';

const KEY = 'parley.reasoningLessons';

/**
 * What the endpoint of a profile requires about reasoning, across windows; another address or model starts from zero.
 */
export function keptLessons(
  memory: vscode.Memento,
  { id, baseUrl = '', model = '' }: ModelProfile,
): LessonBook {
  const all = (): Readonly<Record<string, Lessons>> => memory.get<Record<string, Lessons>>(KEY, {});
  const name = JSON.stringify([id, baseUrl, model]);
  let now: Lessons = {};
  return {
    read: () => ({ ...all()[name], ...now }),
    write: ({ refusesSignatures, ...lasting }) => {
      // The refusal of signatures concerns one conversation, so it is not saved.
      now = refusesSignatures ? { refusesSignatures } : {};
      void memory.update(KEY, { ...all(), [name]: lasting });
    },
  };
}
