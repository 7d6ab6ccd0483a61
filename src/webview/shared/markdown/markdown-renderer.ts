import MarkdownIt from 'markdown-it';
import type { Env, Token } from 'markdown-it';
import { pathTarget } from '../../../base/path-links';
import { most } from '../../../contract/most';
import { attributeOf } from '../text/path-anchors';

/** One top-level block: a paragraph, a list, a table. */
export interface Block {
  /** First line, from 0. */
  readonly line: number;
  readonly tokens: Token[];
}

/** Parses Markdown block by block and writes the HTML of each. Raw HTML stays text. */
export class MarkdownRenderer {
  private readonly markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
  /** Link definitions, which apply to all later blocks. */
  private readonly env: Env = {};

  constructor() {
    this.markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
    this.markdown.core.ruler.push('parley', (state) => rewriteTokens(state.tokens));
    const { escapeHtml } = this.markdown.utils;
    this.markdown.renderer.rules['image'] = (tokens, index, _options, _env, renderer) => {
      const image = tokens[index];
      return image
        ? `<${image.tag}${renderer.renderAttrs(image)}>${escapeHtml(image.content)}</${image.tag}>`
        : '';
    };
  }

  blocks(text: string): readonly Block[] {
    const blocks: Block[] = [];
    // A definition at the end may be incomplete, so it applies only to this pass.
    const env: Env = { references: { ...this.env.references } };
    for (const token of this.markdown.parse(text, env)) {
      const opens = token.level === 0 && token.nesting >= 0;
      if (opens) blocks.push({ line: token.map?.[0] ?? 0, tokens: [] });
      blocks.at(-1)?.tokens.push(token);
    }
    return blocks;
  }

  /** Keeps the link definitions of a complete text. */
  keepDefinitions(text: string): void {
    if (text.includes(']:')) this.markdown.parse(text, this.env);
  }

  html(block: Block): string {
    return this.markdown.renderer.render(block.tokens, this.markdown.options, this.env);
  }
}

/** Changes the tokens of markdown-it to what this page allows: links without `href`, no images, no styles. */
function rewriteTokens(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type === 'heading_open') token.attrs = [['class', `heading-${token.tag.slice(1)}`]];
    // All headings get one level, below the conversation's own: replies may start at any level, and a skipped level
    // misleads users who navigate by headings.
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

/**
 * Only web addresses and paths become links. Without `href` the browser cannot navigate; the page asks the host to open
 * it.
 */
function point(token: Token, url: string): void {
  const isAddress = /^https?:\/\//i.test(url) && url.length <= most.uri;
  // `file:` and other schemes stay text.
  const target = /^[a-z][\w+.-]+:/i.test(url) && !/^[\w.-]+:\d/.test(url) ? undefined : pathTarget(url);
  token.tag = isAddress || target ? 'a' : 'span';
  token.attrs = [['title', url]];
  if (isAddress) token.attrs.push(['role', 'link'], ['tabindex', '0'], ['data-url', url]);
  if (target) token.attrs.push(['role', 'link'], ['tabindex', '0'], ['data-path', attributeOf(target)]);
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
