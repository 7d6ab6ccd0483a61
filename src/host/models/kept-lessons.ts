import type * as vscode from 'vscode';
import type { LessonBook, Lessons } from '../../models/learned';
import type { ModelProfile } from '../../models/profiles';

const KEY = 'parley.reasoningLessons';

/** What the endpoint of a profile has said about thoughts, over all windows; another address or model begins anew. */
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
      // That is about the signatures of one conversation, and no reason to keep others back for good.
      now = refusesSignatures ? { refusesSignatures } : {};
      void memory.update(KEY, { ...all(), [name]: lasting });
    },
  };
}
