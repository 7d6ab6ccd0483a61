/** Ends in a word on which no mark can follow up: it begins with a letter, and no mark touches it. */
const WORD_AT_END = /[ \n，。、；：？！](\p{L}[\p{L}\p{N}]*[,.;?!，。、；：？！]?)( *)$/u;

/** Characters that mean nothing to Markdown behind such a word. */
const PLAIN = /^[\p{L}\p{N} ,.;?!，。、；：？！]*$/u;

/** Cells of a table and what names the language of code are shown elsewhere than at the end, or not at all. */
const SHOWN_ELSEWHERE = /\||`{3}|~{3}/;

/** A definition of a link, which is not shown; its address may stand on the line behind. */
const DEFINITION = /\]:/;

/** How far back is looked for the beginning of the last word. */
const LONGEST_WORD = 100;

/**
 * Most of what streams in are words behind words. Where these mean nothing to Markdown, they are added to the text that
 * is shown, and nothing is drawn anew. Answers whether it was so; `before` is the source that is drawn in `root`.
 */
export function growPlainly(root: Node, before: string, more: string): boolean {
  if (!PLAIN.test(more)) return false;
  const [, word, blanks] = WORD_AT_END.exec(`\n${before}`.slice(-LONGEST_WORD)) ?? [];
  if (word === undefined || blanks === undefined) return false;
  const line = before.lastIndexOf('\n') + 1;
  if (SHOWN_ELSEWHERE.test(before.slice(line))) return false;
  if (DEFINITION.test(before.slice(before.lastIndexOf('\n', line - 2) + 1))) return false;
  const text = lastText(root);
  // Code shows every blank. Elsewhere those at the end of a block are not shown until something follows them.
  const isCode = text?.parentElement?.closest('code') != null;
  if (!text?.data.endsWith(isCode ? word + blanks : word)) return false;
  const shown = isCode ? more : `${blanks}${more}`.trimEnd();
  if (shown !== '') text.appendData(shown);
  return true;
}

/** The last text that is not only the room between elements. */
function lastText(root: Node): Text | undefined {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let node: Node | null = root;
  while (node.lastChild) node = node.lastChild;
  texts.currentNode = node;
  for (; node && node !== root; node = texts.previousNode()) {
    if (node instanceof Text && node.data.trim() !== '') return node;
  }
  return undefined;
}
