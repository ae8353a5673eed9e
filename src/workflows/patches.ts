/**
 * The changes of workflows' steps, each behind `patched(id)`. A worker that does not know a patch cannot continue a history that has
 * its marker. So the release that brings a patch only knows it: its histories replay on the previous release, and you can go back. The
 * next release takes it (D-351).
 */
const PATCHES: Readonly<Record<string, 'KNOWN' | 'TAKEN'>> = {};

/** The SDK's own patches. It knows their histories in every release, and without them a wait of zero time never ends. */
const OF_THE_SDK = '__sdk_internal_patch_number:';

/** @param early patches that an operator takes before their release does, once all workers know them. */
export const isPatchTaken = (patchId: string, early: readonly string[] = []): boolean =>
  PATCHES[patchId] === 'TAKEN' || early.includes(patchId) || patchId.startsWith(OF_THE_SDK);
