import type { JSX } from 'preact';

/** What would be parsed out of a reply. */
export function ParseTab(): JSX.Element {
  return <></>;
}
