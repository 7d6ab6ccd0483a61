import { pathLinks, pathTarget, resultLinks, type PathLink, type PathTarget } from '../../../base/path-links';

/** Lines of one text in which paths become links; drawing more would block the page. */
const MOST_LINES = 5_000;

/** Makes links of the paths in sentences and in code between back ticks. Nothing is looked up. */
export function linkPaths(root: ParentNode): void {
  for (const node of textNodes(root)) {
    const parent = node.parentElement;
    if (parent?.closest('[data-url], [data-path], pre')) continue;
    const isCode = parent?.localName === 'code' && parent.childNodes.length === 1;
    const whole = isCode && !/\s/.test(node.data) ? pathTarget(node.data) : undefined;
    replace(node, whole ? [{ ...whole, start: 0, end: node.length }] : pathLinks(node.data));
  }
}

/** The same in lines of a result or a program's output, each an element with one text. */
export function linkLines(root: ParentNode): void {
  const lines = [...root.querySelectorAll('.line')].slice(0, MOST_LINES);
  const links = resultLinks(lines.map(({ textContent }) => textContent));
  for (const [index, line] of lines.entries()) {
    const { firstChild } = line;
    if (firstChild instanceof Text && line.childNodes.length === 1) replace(firstChild, links[index] ?? []);
  }
}

/** The place that a link names, as an attribute of its element. */
export function attributeOf({ path, line, column }: PathTarget): string {
  return [path, line, column].filter((part) => part !== undefined).join(':');
}

/** The place that a link drawn here names, if the element is in one. */
export function targetAt(element: Element): PathTarget | undefined {
  const named = element.closest('[data-path]')?.getAttribute('data-path');
  return named === undefined || named === null ? undefined : pathTarget(named);
}

function textNodes(root: ParentNode): readonly Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) nodes.push(walker.currentNode);
  return nodes;
}

function replace(node: Text, links: readonly PathLink[]): void {
  const text = node.data;
  const pieces: (string | HTMLElement)[] = [];
  let at = 0;
  for (const link of links) {
    if (link.start < at) continue;
    pieces.push(text.slice(at, link.start), anchor(text.slice(link.start, link.end), link));
    at = link.end;
  }
  if (pieces.length > 0) node.replaceWith(...pieces, text.slice(at));
}

function anchor(text: string, target: PathTarget): HTMLElement {
  const element = document.createElement('a');
  element.className = 'path-link';
  element.setAttribute('role', 'link');
  element.setAttribute('data-path', attributeOf(target));
  element.tabIndex = 0;
  element.textContent = text;
  return element;
}
