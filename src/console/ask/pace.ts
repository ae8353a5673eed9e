import { useDocumentVisibility, useIdle } from '@mantine/hooks';
import { createContext, use } from 'react';

/** Ms between two looks while something is under way that somebody waits for. */
export const HURRIED_MS = 1_000;
/** Ms between two looks otherwise. */
export const CALM_MS = 5_000;
/** While somebody types, every letter is not worth a question. */
export const TYPING_MS = 300;
/** With nobody there the page stops asking: a session is to end after half an hour of rest. */
const NOBODY_THERE_MS = 10 * 60_000;

/** Whether the page keeps itself up to date. */
export const Awake = createContext(true);
export const useAwake = (): boolean => use(Awake);

/** Whether somebody looks at the page. */
export function useSomebodyThere(): boolean {
  const idle = useIdle(NOBODY_THERE_MS, { initialState: false });
  return useDocumentVisibility() === 'visible' && !idle;
}
