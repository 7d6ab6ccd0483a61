/** Whether the focus can be moved without taking it away from someone who types, chooses or decides. */
export function mayTakeFocus(): boolean {
  // Whoever works in the editor beside the page is left alone.
  if (!document.hasFocus()) return false;
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  if (activeElement instanceof HTMLTextAreaElement) return activeElement.value === '';
  return activeElement.matches('.log, .call:not(.call-waiting)');
}
