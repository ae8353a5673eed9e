import { Text } from '@mantine/core';
import type { OverviewQuery } from '../../generated/operations.ts';
import classes from './provider-bars.module.css';

type Overview = OverviewQuery['overview'];

interface ProviderBarsProps {
  readonly health: Overview['providers'][number];
  readonly connections: Overview['connections'];
}

/** Bars for the jobs of the last hour, the open jobs and the connections, with their numbers. */
export function ProviderBars({ health, connections }: ProviderBarsProps) {
  const connected = connections.filter(({ status }) => status === 'CONNECTED').reduce(sum, 0);
  const others = connections.filter(({ status }) => status !== 'CONNECTED').reduce(sum, 0);
  const failingJobs = health.failing.reduce(sum, 0);
  return (
    <dl className={classes.bars}>
      <Bar name="Ended in the last hour" healthy={health.succeededLastHour} failing={health.failedLastHour} />
      <Bar name="Open jobs" healthy={health.openJobs - failingJobs} failing={failingJobs} />
      <Bar name="Connections" healthy={connected} failing={others} />
    </dl>
  );
}

const sum = (total: number, { count }: { count: number }) => total + count;

/** The bar shows the shares, the text the numbers. */
const Bar = ({ name, healthy, failing }: { name: string; healthy: number; failing: number }) => (
  <div>
    <Text component="dt" size="sm" c="dimmed">
      {name}
    </Text>
    <Text component="dd" size="sm" m={0}>
      {healthy.toLocaleString('en')} healthy{failing > 0 && `, ${failing.toLocaleString('en')} failing`}
      <span className={classes.bar} aria-hidden>
        {healthy > 0 && <span className={classes.healthy} style={{ flexGrow: healthy }} />}
        {failing > 0 && <span className={classes.failing} style={{ flexGrow: failing }} />}
      </span>
    </Text>
  </div>
);
