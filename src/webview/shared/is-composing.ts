/** A key that belongs to an input method: Enter picks a candidate there and sends nothing. */
export function isComposing(event: KeyboardEvent): boolean {
  // 229 is what Chromium reports for the key that ends a composition, after `isComposing` has gone.
  // oxlint-disable-next-line typescript/no-deprecated
  return event.isComposing || event.keyCode === 229;
}
