import DOMPurify from 'dompurify';
import type { DOMPurify as Purifier } from 'dompurify';

// Kept here, because to read the list anew for each text takes as long as many a text.
let purifier: Purifier | undefined;

/** The only way from HTML text to nodes: what markdown-it and highlight.js wrote, cut down to this list. */
export function sanitize(html: string): DocumentFragment {
  purifier ??= purifierOfList();
  return purifier.sanitize(html, { RETURN_DOM_FRAGMENT: true });
}

function purifierOfList(): Purifier {
  const purify = DOMPurify(window);
  purify.setConfig({
    ALLOWED_TAGS: [
      ...['p', 'br', 'strong', 'em', 's', 'code', 'pre', 'a', 'span', 'ul', 'ol', 'li', 'blockquote', 'hr'],
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    // No `href`, `src` or `style`: nothing here can navigate, load or draw over something else.
    ALLOWED_ATTR: ['class', 'data-url', 'title', 'role', 'tabindex', 'start'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  return purify;
}
