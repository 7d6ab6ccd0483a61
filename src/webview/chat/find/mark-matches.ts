/** Texts of the conversation; not the page's own words. */
const TEXTS = '.markdown, .text-lines, .call-summary, .arguments dd, .compaction-summary, .notice-body > p';

/** Texts of these do not continue each other. */
const BLOCKS = 'p, li, td, th, h3, pre, dd, summary, .line, .text-lines, .markdown, .call-summary';

/** The ranges of the matches in what is drawn of an entry, in order. */
export function matchesIn(entry: Element, pattern: RegExp): readonly Range[] {
  const ranges: Range[] = [];
  for (const texts of textsOf(entry)) {
    const whole = texts.map(({ data }) => data).join('');
    for (const { 0: text, index } of whole.matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(...pointAt(texts, index));
      range.setEnd(...pointAt(texts, index + text.length));
      ranges.push(range);
    }
  }
  return ranges;
}

/** Which call of its entry contains a range, from 0. */
export function callIn(range: Range): number | undefined {
  const element = range.startContainer.parentElement;
  const call = outermost(element, '.call');
  const calls = [...(element?.closest('.entry')?.querySelectorAll('.reply > .call') ?? [])];
  return call ? calls.indexOf(call) : undefined;
}

function outermost(element: Element | null | undefined, selector: string): Element | undefined {
  let found: Element | undefined;
  for (let at = element?.closest(selector); at; at = at.parentElement?.closest(selector)) found = at;
  return found;
}

/** Texts that continue each other. */
function textsOf(entry: Element): readonly (readonly Text[])[] {
  const walker = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT);
  const groups: Text[][] = [];
  let block: Element | null | undefined;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!(node instanceof Text) || !node.parentElement?.closest(TEXTS)) continue;
    const its = node.parentElement.closest(BLOCKS);
    if (its !== block || groups.length === 0) groups.push([]);
    block = its;
    groups.at(-1)?.push(node);
  }
  return groups;
}

function pointAt(texts: readonly Text[], offset: number): [Text, number] {
  let rest = offset;
  for (const text of texts) {
    if (rest <= text.length) return [text, rest];
    rest -= text.length;
  }
  const last = texts.at(-1) ?? new Text();
  return [last, last.length];
}

const ALL = 'parley-found';
const CURRENT = 'parley-found-current';

/** Marks matches without changing the page. */
export function mark(ranges: readonly Range[], current: Range | undefined): void {
  CSS.highlights.set(ALL, new Highlight(...ranges));
  const one = new Highlight(...(current ? [current] : []));
  one.priority = 1;
  CSS.highlights.set(CURRENT, one);
}
