import { isJsonObject } from '../../../base/json';

/** `PromptNodeType.Text` of `@vscode/prompt-tsx`. */
const TEXT = 2;

/**
 * Text of a result written with `@vscode/prompt-tsx` (its `jsonTypes.ts`): a tree whose leaves are texts. Anything
 * else stays JSON.
 */
export function promptTreeText(value: unknown): string {
  if (value === undefined) return '';
  if (!isJsonObject(value) || !isJsonObject(value['node'])) return JSON.stringify(value);
  const texts: string[] = [];
  // The next node is last. The tree may be deeper than the stack.
  const open: unknown[] = [value['node']];
  while (open.length > 0) {
    const node = open.pop();
    if (!isJsonObject(node)) continue;
    const { type, text, lineBreakBefore, children } = node;
    if (type === TEXT && typeof text === 'string') texts.push(lineBreakBefore ? '\n' : '', text);
    else if (Array.isArray(children)) for (const child of children.toReversed()) open.push(child);
  }
  return texts.join('');
}
