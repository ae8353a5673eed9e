import { useSyncExternalStore } from 'react';
import { showTimesIn, type Zone } from './texts/time.ts';

const KEY = 'time-zone';
const listeners = new Set<() => void>();

let current: Zone = localStorage.getItem(KEY) === 'UTC' ? 'UTC' : 'BROWSER';
showTimesIn(current);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The zone in which the console shows times. Code that formats a time calls this, to do so again when the operator chooses another. */
export const useZone = (): Zone => useSyncExternalStore(subscribe, () => current);

/** This browser remembers it. */
export function chooseZone(zone: Zone): void {
  current = zone;
  localStorage.setItem(KEY, zone);
  showTimesIn(zone);
  for (const listener of listeners) listener();
}
