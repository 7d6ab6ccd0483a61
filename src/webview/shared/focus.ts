/** Whether the focus can move without disturbing a user who types, chooses or decides. */
export function mayTakeFocus(): boolean {
  // Users who work in the editor beside the page are not disturbed.
  if (!document.hasFocus()) return false;
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  if (activeElement instanceof HTMLTextAreaElement) return activeElement.value === '';
  return activeElement.matches('.log, .call:not(.call-waiting)');
}

/**
 * Whether newly opened content may take the focus, as content opened by a click should. Content that opens again
 * after a reload or scrolls into view was not clicked, and the user may be typing elsewhere.
 */
export function mayFollowClick(): boolean {
  if (!document.hasFocus() || !navigator.userActivation.hasBeenActive) return false;
  return document.activeElement?.matches('input, select, textarea, [contenteditable]') !== true;
}

/** Whether the key belongs to an input method: Enter picks a candidate there and sends nothing. */
export function isComposing(event: KeyboardEvent): boolean {
  // 229 is what Chromium reports for the key that ends a composition, after `isComposing` has gone.
  // oxlint-disable-next-line typescript/no-deprecated
  return event.isComposing || event.keyCode === 229;
}
