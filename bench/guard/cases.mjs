/** The cases of the guard, in order. */
export const CASES = [
  'content',
  'connection',
  'syncJob',
  'connectSessionResult',
  'accepts requestRefresh',
  'accepts createConnectSession',
  'accepts disconnectConnection',
  'connect',
  'scan',
  'metrics',
  'disconnect',
  'retries',
  'webhooks',
];

/** Whether `--only NAME` chooses this case: `accepts` chooses three. */
const isMeant = (name, only) => name === only || name.startsWith(`${only} `);

/**
 * The cases that `--only` chooses; all without it.
 * @param {readonly string[] | undefined} only
 * @throws for a name that chooses none
 */
export function chooseCases(only) {
  const unknown = only?.find((one) => !CASES.some((name) => isMeant(name, one)));
  if (unknown !== undefined) throw new Error(`The guard has no case ${unknown}. Choose from ${CASES.join(', ')}.`);
  return CASES.filter((name) => only?.some((one) => isMeant(name, one)) ?? true);
}
