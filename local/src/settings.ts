import type { DevelopmentKeys } from './development-keys.ts';

/** Used if they are free. */
export const USUAL_PORTS = {
  api: 8080,
  workerHealth: 8081,
  metrics: 9464,
  apiMetrics: 9465,
  sandbox: 8090,
  caller: 8070,
  postgres: 54_320,
  temporal: 7233,
  temporalUi: 8233,
} as const;
export type Ports = Readonly<Record<keyof typeof USUAL_PORTS, number>>;

/** The configuration that the stack's processes share. */
export interface StackSettings {
  readonly ports: Ports;
  readonly keys: DevelopmentKeys;
  readonly databaseUrl: string;
  /** The variables that name the Temporal server. */
  readonly temporal: Readonly<Record<string, string>>;
  /** Environment variables that add to the stack's own or replace them. */
  readonly adjustments?: Readonly<Record<string, string>>;
  /** The stack's folder, for data that survives a restart. */
  readonly folder: string;
}
