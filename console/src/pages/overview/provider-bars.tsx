import { Text } from '@mantine/core';
import type { EndedWorkKind, OverviewQuery } from '../../generated/operations.ts';
import classes from './provider-bars.module.css';

type Overview = OverviewQuery['overview'];

interface ProviderBarsProps {
  readonly health: Overview['providers'][number];
  readonly connections: Overview['connections'];
}

const NAMES: Readonly<Record<EndedWorkKind, string>> = {
  CONNECT: 'Connects',
  READ: 'Reads',
  TOKEN_REFRESH: 'Token refreshes',
  REVOKE: 'Revokes',
  WEBHOOK: 'Deliveries',
};

/** Bars for what ended lately, the open jobs and the connections, with their numbers. */
export function ProviderBars({ health, connections }: ProviderBarsProps) {
  const inStatus = (wanted: string) =>
    connections.filter(({ status }) => status === wanted).reduce((total, { count }) => total + count, 0);
  const failingJobs = health.failing.reduce((total, { count }) => total + count, 0);
  return (
    <dl className={classes.bars}>
      {health.health.work
        .filter(({ succeeded, failed }) => succeeded + failed > 0)
        .map(({ kind, succeeded, failed, usualFailedPercent }) => (
          <Bar
            key={kind}
            name={usualFailedPercent === null ? NAMES[kind] : `${NAMES[kind]}, usually ${usualFailedPercent} % fail`}
            healthy={succeeded}
            failing={failed}
          />
        ))}
      <Bar
        name="Open jobs"
        healthy={health.openJobs - failingJobs}
        failing={failingJobs}
        failingWord="waiting after a failure"
      />
      <Bar
        name="Connections"
        healthy={inStatus('CONNECTED')}
        failing={inStatus('RECONNECT_REQUIRED')}
        failingWord="need a reconnect"
      />
    </dl>
  );
}

interface BarProps {
  readonly name: string;
  readonly healthy: number;
  readonly failing: number;
  readonly failingWord?: string;
}

/** The bar shows the shares, the text the numbers. */
export const Bar = ({ name, healthy, failing, failingWord = 'failed' }: BarProps) => (
  <div>
    <Text component="dt" size="sm" c="dimmed">
      {name}
    </Text>
    <Text component="dd" size="sm" m={0}>
      {healthy.toLocaleString('en')} OK{failing > 0 && `, ${failing.toLocaleString('en')} ${failingWord}`}
      <span className={classes.bar} aria-hidden>
        {healthy > 0 && <span className={classes.healthy} style={{ flexGrow: healthy }} />}
        {failing > 0 && <span className={classes.failing} style={{ flexGrow: failing }} />}
      </span>
    </Text>
  </div>
);
