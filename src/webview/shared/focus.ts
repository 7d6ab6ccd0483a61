/** Whether the focus can be moved without taking it away from someone who types, chooses or decides. */
export function mayTakeFocus(): boolean {
  // Whoever works in the editor beside the page is left alone.
  if (!document.hasFocus()) return false;
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  if (activeElement instanceof HTMLTextAreaElement) return activeElement.value === '';
  return activeElement.matches('.log, .call:not(.call-waiting)');
}

/**
 * Whether what has just opened may take the focus, as what a click opens should. Much of it stands open again after a
 * reload, or once it is scrolled into sight: then nobody has clicked, or someone types elsewhere.
 */
export function mayFollowClick(): boolean {
  if (!document.hasFocus() || !navigator.userActivation.hasBeenActive) return false;
  return document.activeElement?.matches('input, select, textarea, [contenteditable]') !== true;
}

/** A key that belongs to an input method: Enter picks a candidate there and sends nothing. */
export function isComposing(event: KeyboardEvent): boolean {
  // 229 is what Chromium reports for the key that ends a composition, after `isComposing` has gone.
  // oxlint-disable-next-line typescript/no-deprecated
  return event.isComposing || event.keyCode === 229;
}
