import MarkdownIt from 'markdown-it';
import type { Env, Token } from 'markdown-it';
import { rewriteTokens } from './rewrite-tokens';

/** One block at the top of a text: a paragraph, a list, a table. */
export interface Block {
  /** The first line, from 0. */
  readonly line: number;
  readonly tokens: Token[];
}

/** Reads Markdown block by block and writes the HTML of each. Raw HTML in it stays text. */
export class MarkdownRenderer {
  private readonly markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
  /** Link definitions, which count for all later blocks. */
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
    // A definition at the end may be incomplete: it counts for this reading only.
    const env: Env = { references: { ...this.env.references } };
    for (const token of this.markdown.parse(text, env)) {
      const opens = token.level === 0 && token.nesting >= 0;
      if (opens) blocks.push({ line: token.map?.[0] ?? 0, tokens: [] });
      blocks.at(-1)?.tokens.push(token);
    }
    return blocks;
  }

  /** Keeps the link definitions of a text that is complete. */
  keepDefinitions(text: string): void {
    if (text.includes(']:')) this.markdown.parse(text, this.env);
  }

  html(block: Block): string {
    return this.markdown.renderer.render(block.tokens, this.markdown.options, this.env);
  }
}
