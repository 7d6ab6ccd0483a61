/** What opening a link needs from the window. */
export interface LinkOpener {
  /** Shows the whole address to the user; resolves to whether it may be opened. */
  confirm(address: string): Promise<boolean>;
  open(address: string): Promise<void>;
}

/**
 * Opens only web pages, and only after the user has seen the whole address as the browser reads it: names in other
 * scripts, blanks and invisible characters are written out.
 */
export async function openLink(url: string, opener: LinkOpener): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol !== 'https:' && target?.protocol !== 'http:') return;
  if (await opener.confirm(target.href)) await opener.open(target.href);
}
