import { useEffect, useRef } from 'react';

/**
 * A button that is busy is disabled, and the browser takes its focus away. This returns it, unless the operator has moved on or
 * the button is gone.
 * @returns a function to call before the work begins.
 */
export function useKeepFocus(isBusy: boolean): () => void {
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    const before = focused.current;
    if (isBusy || before === null) return;
    focused.current = null;
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  }, [isBusy]);
  return () => {
    focused.current = document.activeElement;
  };
}
