/** `FAST_PATHS=false` in the environment of a run tests the plain paths. */
export const isFast = process.env.FAST_PATHS !== 'false';

/** The variable for the processes of a test. */
export const FAST_PATHS = String(isFast);
