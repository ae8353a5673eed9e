/** Waits for the first signal that asks this process to stop. The next signal then ends the process at once. */
export function shutdownSignal(): Promise<NodeJS.Signals> {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((resolve) => {
    const handle = (signal: NodeJS.Signals) => {
      for (const each of signals) process.off(each, handle);
      resolve(signal);
    };
    for (const each of signals) process.on(each, handle);
  });
}
