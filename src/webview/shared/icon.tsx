import type { JSX } from 'preact';

/** A codicon. It is decoration: what it says stands in text or in the label of its button. */
export function Icon({
  name,
  spin = false,
}: {
  readonly name: string;
  readonly spin?: boolean;
}): JSX.Element {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
