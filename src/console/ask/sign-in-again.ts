import { createContext } from 'react';

/** Has the operator sign in again. @returns whether they have; never, when that leads away from this page. */
export const SignInAgain = createContext<() => Promise<boolean>>(async () => false);
