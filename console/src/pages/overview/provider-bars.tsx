import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EndedWorkKind, OverviewQuery } from '../../generated/operations.ts';
import classes from './provider-bars.module.css';

type Overview = OverviewQuery['overview'];

interface ProviderBarsProps {
  readonly health: Overview['providers'][number];
  readonly connections: Overview['connections'];
  readonly workers: Overview['workers'];
}

const NAMES: Readonly<Record<EndedWorkKind, string>> = {
  CONNECT: 'Connects',
  READ: 'Reads',
  TOKEN_REFRESH: 'Token refreshes',
  REVOKE: 'Revokes',
  WEBHOOK: 'Deliveries',
};

/** Whether no more fails than usual. */
export const isAsUsual = ({ level }: Overview['webhookHealth']): boolean =>
  level === 'HEALTHY' || level === 'NOT_KNOWN';

/** Recently ended work, open jobs and connections. Zero has no bar. */
export function ProviderBars({ health, connections, workers }: ProviderBarsProps) {
  const inStatus = (wanted: string) =>
    connections.filter(({ status }) => status === wanted).reduce((total, { count }) => total + count, 0);
  const failingJobs = health.failing.reduce((total, { count }) => total + count, 0);
  const waitingJobs = workers === 'ANSWERING' ? failingJobs + health.blockedErases : health.openJobs;
  const isHealthy = isAsUsual(health.health);
  return (
    <Bars>
      {health.health.work.map(({ kind, succeeded, failed, usualFailedPercent }) => (
        <Bar
          key={kind}
          name={usualFailedPercent === null ? NAMES[kind] : `${NAMES[kind]}, usually ${usualFailedPercent} % fail`}
          healthy={succeeded}
          failing={failed}
          isHealthy={isHealthy}
        />
      ))}
      <Bar
        name="Open jobs"
        healthy={health.openJobs - waitingJobs}
        failing={waitingJobs}
        failingWord={describeWaiting(health.blockedErases, workers)}
        isHealthy={isHealthy}
      />
      <Bar
        name="Connections"
        healthy={inStatus('CONNECTED')}
        failing={inStatus('RECONNECT_REQUIRED')}
        failingWord="need a reconnect"
        isHealthy={isHealthy}
      />
    </Bars>
  );
}

function describeWaiting(blockedErases: number, workers: Overview['workers']): string {
  if (workers === 'SILENT') return 'waiting for a worker';
  if (workers === 'NOT_KNOWN') return 'not known while Temporal does not answer';
  return blockedErases > 0 ? 'retrying, or waiting for one that is' : 'retrying';
}

export const Bars = ({ children }: { children: ReactNode }) => <dl className={classes.bars}>{children}</dl>;

interface BarProps {
  readonly name: string;
  readonly healthy: number;
  readonly failing: number;
  readonly failingWord?: string;
  /** Whether the failures are as usual. */
  readonly isHealthy: boolean;
}

/** The bar shows the shares, the text the numbers. */
export const Bar = ({ name, healthy, failing, failingWord = 'failed', isHealthy }: BarProps) =>
  healthy + failing > 0 && (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {healthy.toLocaleString('en')} OK{failing > 0 && `, ${failing.toLocaleString('en')} ${failingWord}`}
        <span className={classes.bar} aria-hidden>
          {healthy > 0 && <span className={classes.healthy} style={{ flexGrow: healthy }} />}
          {failing > 0 && (
            <span className={classes.failing} data-usual={isHealthy || undefined} style={{ flexGrow: failing }} />
          )}
        </span>
      </Text>
    </div>
  );
