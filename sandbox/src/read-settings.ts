import { z } from 'zod';
import type { SettingsChange } from './control.ts';
import { EMULATIONS } from './emulations.ts';
import { letterOf, PLATFORMS } from './model.ts';

const SettingsBody = z.strictObject(
  Object.fromEntries(
    PLATFORMS.map((platform) => [letterOf(platform), EMULATIONS[platform].settings.partial().optional()]),
  ),
);

/** Reads a change of the settings for the control API and the control page. @throws ZodError */
export const readSettings = (given: unknown): SettingsChange =>
  Object.fromEntries(
    Object.entries(SettingsBody.parse(given)).map(([letter, change = {}]) => [letter, omitUndefined(change)]),
  );

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };
/** Omits undefined members, which zod's types allow but JSON does not have. */
export const omitUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
