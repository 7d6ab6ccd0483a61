import { visibleText } from '../../base/text';

/**
 * A text of somebody else for a notification. There `[label](command:…)` is a link on which VS Code runs any of its
 * commands; a blank between label and address leaves it text.
 */
export function noticeText(text: string): string {
  return visibleText(text).replaceAll('](', '] (');
}
