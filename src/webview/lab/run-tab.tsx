import type { JSX } from 'preact';

/** One call of any tool. */
export function RunTab(): JSX.Element {
  return <></>;
}
