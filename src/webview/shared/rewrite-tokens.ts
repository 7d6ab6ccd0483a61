import type { Token } from 'markdown-it';
import { most } from '../../contract/most';

/** Makes of markdown-it's tokens what this page allows: links that only say where they lead, no images, no styles. */
export function rewriteTokens(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type === 'heading_open') token.attrs = [['class', `heading-${token.tag.slice(1)}`]];
    // All of one level, below the conversation's own: where a reply begins is for nobody to say, and a skipped level
    // misleads those who go from heading to heading.
    if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = 'h3';
    const align = /^text-align:(\w+)$/.exec(attribute(token, 'style'))?.[1];
    if (align !== undefined) token.attrs = [['class', `align-${align}`]];
    if (token.children) rewriteLinks(token.children);
  }
}

function rewriteLinks(tokens: readonly Token[]): void {
  let open: Token | undefined;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      point(token, attribute(token, 'href'));
      open = token;
    } else if (token.type === 'link_close') {
      token.tag = open?.tag ?? 'span';
      open = undefined;
    } else if (token.type === 'image') {
      imageToLink(token, { insideLink: open !== undefined });
    }
  }
}

/** Only web addresses become links. Without `href` the browser has nowhere to go: the page asks the host to open it. */
function point(token: Token, url: string): void {
  const isLink = /^https?:\/\//i.test(url) && url.length <= most.uri;
  token.tag = isLink ? 'a' : 'span';
  token.attrs = [['title', url]];
  if (isLink) token.attrs.push(['role', 'link'], ['tabindex', '0'], ['data-url', url]);
}

/** Showing an image would load it. */
function imageToLink(token: Token, { insideLink }: { readonly insideLink: boolean }): void {
  const url = attribute(token, 'src');
  if (token.content === '') token.content = url;
  point(token, url);
  if (!insideLink) return;
  token.tag = 'span';
  token.attrs = [['title', url]];
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}
