/** A fixture that all tests of one file share. */
export function perFile<T extends { close(): Promise<unknown> }>(
  open: () => Promise<T>,
): [(context: object, use: (opened: T) => Promise<void>) => Promise<void>, { scope: 'file' }] {
  const fixture = async ({}, use: (opened: T) => Promise<void>) => {
    const opened = await open();
    await use(opened);
    await opened.close();
  };
  return [fixture, { scope: 'file' }];
}
