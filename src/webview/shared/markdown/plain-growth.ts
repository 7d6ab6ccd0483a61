/** Ends in a word that no markup can continue: it begins with a letter and touches no markup. */
const WORD_AT_END = /[ \n，。、；：？！](\p{L}[\p{L}\p{N}]*[,.;?!，。、；：？！]?)( *)$/u;

/** Characters without meaning in Markdown after such a word. */
const PLAIN = /^[\p{L}\p{N} ,.;?!，。、；：？！]*$/u;

/** Table cells and the language of code are not shown at the end, or not at all. */
const SHOWN_ELSEWHERE = /\||`{3}|~{3}/;

/** A link definition, which is not shown; its address may be on the next line. */
const DEFINITION = /\]:/;

/** Characters to search back for the beginning of the last word. */
const LONGEST_WORD = 100;

/**
 * Most streaming text is word after word. If such words have no meaning in Markdown, they are appended to the shown
 * text without redrawing. Returns whether it did; `before` is the source drawn in `root`.
 */
export function growPlainly(root: Node, before: string, more: string): boolean {
  if (!PLAIN.test(more)) return false;
  const [, word, blanks] = WORD_AT_END.exec(`\n${before}`.slice(-LONGEST_WORD)) ?? [];
  if (word === undefined || blanks === undefined) return false;
  const line = before.lastIndexOf('\n') + 1;
  if (SHOWN_ELSEWHERE.test(before.slice(line))) return false;
  if (DEFINITION.test(before.slice(before.lastIndexOf('\n', line - 2) + 1))) return false;
  const text = lastText(root);
  // Code shows every blank. Elsewhere, trailing blanks of a block are not shown until something follows.
  const isCode = text?.parentElement?.closest('code') != null;
  if (!text?.data.endsWith(isCode ? word + blanks : word)) return false;
  const shown = isCode ? more : `${blanks}${more}`.trimEnd();
  if (shown !== '') text.appendData(shown);
  return true;
}

/** The last text node that is not only whitespace between elements. */
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
