import { closeSync, futimesSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOCK = path.join(import.meta.dirname, '..', '.cache', 'setup.lock');
const BEAT_MS = 1_000;
const WAIT_MS = 200;
const ANNOUNCED_AFTER = 5;
/** A holder without a heartbeat for this long is gone, even if a process with its id runs. */
const STALE_MS = 8_000;

/**
 * Runs `work` while no other command installs or builds in this checkout. Waits for its turn. `work` must not block the
 * event loop, or the lock looks abandoned.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function exclusively(work) {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  let file = tryLock();
  for (let waits = 0; file === undefined; waits += 1) {
    if (waits === ANNOUNCED_AFTER) console.log('Waiting for another command that installs or builds here…');
    await delay(WAIT_MS);
    file = tryLock();
  }
  const held = file;
  const beat = setInterval(() => futimesSync(held, new Date(), new Date()), BEAT_MS);
  const release = () => rmSync(LOCK, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    closeSync(held);
    process.off('exit', release);
    release();
  }
}

function tryLock() {
  try {
    const file = openSync(LOCK, 'wx');
    writeSync(file, String(process.pid));
    return file;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) rmSync(LOCK, { force: true });
    return undefined;
  }
}

function isAbandoned() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs > STALE_MS) return true;
    const holder = Number(readFileSync(LOCK, 'utf8'));
    if (holder > 0) process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH'; // Otherwise the lock was just released, or its holder belongs to another user.
  }
}
