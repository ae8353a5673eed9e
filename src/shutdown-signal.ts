/** @returns the signal that asks this process to end, once there is one; after that the next ends it at once. */
export function shutdownSignal(): Promise<NodeJS.Signals> {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((resolve) => {
    const heed = (signal: NodeJS.Signals) => {
      for (const each of signals) process.off(each, heed);
      resolve(signal);
    };
    for (const each of signals) process.on(each, heed);
  });
}
