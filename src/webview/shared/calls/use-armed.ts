import { useLayoutEffect, useState } from 'preact/hooks';

/** Milliseconds in which a click was aimed at what stood here before. */
const ARMING = 400;

/** `false` for a moment after each of these has changed: buttons that just appeared or moved take no answer yet. */
export function useArmed(...changes: readonly unknown[]): boolean {
  const [isArmed, setArmed] = useState(false);
  useLayoutEffect(() => {
    setArmed(false);
    const timer = setTimeout(() => setArmed(true), ARMING);
    return () => clearTimeout(timer);
  }, changes);
  return isArmed;
}
