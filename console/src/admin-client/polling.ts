import { useDocumentVisibility, useIdle } from '@mantine/hooks';
import { createContext, use } from 'react';

/** Ms between two polls while the operator waits for running work. */
export const FAST_POLL_MS = 1_000;
/** Ms between two polls otherwise. */
export const SLOW_POLL_MS = 5_000;
/** Ms between two polls of settings, which others change seldom. */
export const SETTINGS_POLL_MS = 15_000;
/** Ms to wait after a keystroke before a search is sent. */
export const TYPING_DELAY_MS = 300;
/** An idle page stops polling after this long, so that the session can expire after 30 idle minutes. */
const IDLE_MS = 10 * 60_000;

/** Whether queries poll. */
export const PollingEnabled = createContext(true);
export const useIsPollingEnabled = (): boolean => use(PollingEnabled);

/** Whether the page is visible and its operator is not idle. */
export function useIsPageActive(): boolean {
  const idle = useIdle(IDLE_MS, { initialState: false });
  return useDocumentVisibility() === 'visible' && !idle;
}
