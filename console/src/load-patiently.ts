/** Ms between two questions whether the server is back. */
const RETRY_MS = 3_000;

/** Whether the code of a page waits for the network; read by the page that stands in its place. */
let isWaiting = false;
const listeners = new Set<() => void>();

export const waitingForNetwork = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): boolean => isWaiting,
};

function setWaiting(value: boolean): void {
  isWaiting = value;
  for (const listener of listeners) listener();
}

/** Whether the server of the console answers. */
const answers = (): Promise<boolean> =>
  fetch('/admin/', { cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  );

/** Waits a few seconds, or until the browser reports that its network is back. */
export const waitOrOnline = () =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, RETRY_MS);
    window.addEventListener('online', end);
  });

/**
 * Loads the code of a page. While the server does not answer, it waits and tries again; if the server answers but not with this
 * code, a newer build has replaced it. A browser may remember a module that it could not fetch: then it loads the console anew.
 * @throws the failure of a load that no waiting helps.
 */
export async function loadPatiently<Code>(load: () => Promise<Code>): Promise<Code> {
  let hasWaited = false;
  try {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (await answers()) {
          return await load().catch(async () => {
            if (!hasWaited) throw error;
            window.location.reload();
            return await new Promise<Code>(() => {}); // Until then the page shows that it waits.
          });
        }
        hasWaited = true;
        setWaiting(true);
        await waitOrOnline();
      }
    }
  } finally {
    setWaiting(false);
  }
}
