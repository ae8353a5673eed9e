import { z } from 'zod';
import type { World } from '../world.ts';

interface Settings {
  accessSeconds: number;
  callsPerDay: number;
}

export const defaults: Settings = { accessSeconds: 3600, callsPerDay: 50_000 };

/** The control API's form of them. */
export const settings = z.strictObject({ accessSeconds: z.int().min(1), callsPerDay: z.int().min(0) });

export const settingsOf = ({ settings: all }: World) => all.d as Settings;
