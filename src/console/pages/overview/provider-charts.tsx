import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { OverviewQuery } from '../../generated/operations.ts';

type Overview = OverviewQuery['overview'];

interface ProviderChartsProps {
  readonly health: Overview['providers'][number];
  readonly connections: Overview['connections'];
  readonly height: number;
}

/** Bars for the jobs of the last hour, the open jobs and the connections. A label describes them to screen readers. */
export default function ProviderCharts({ health, connections, height }: ProviderChartsProps) {
  const connected = connections.filter(({ status }) => status === 'CONNECTED').reduce(sum, 0);
  const others = connections.filter(({ status }) => status !== 'CONNECTED').reduce(sum, 0);
  const failingJobs = health.failing.reduce(sum, 0);
  const bars = [
    { name: 'Ended in the last hour', healthy: health.succeededLastHour, failing: health.failedLastHour },
    { name: 'Open jobs', healthy: health.openJobs - failingJobs, failing: failingJobs },
    { name: 'Connections', healthy: connected, failing: others },
  ];
  const description = bars
    .map(({ name, healthy, failing }) => `${name}: ${healthy} healthy, ${failing} failing.`)
    .join(' ');
  return (
    <div role="img" aria-label={description}>
      <BarChart
        aria-hidden
        h={height}
        data={bars}
        dataKey="name"
        type="stacked"
        orientation="vertical"
        gridAxis="none"
        tickLine="none"
        withTooltip
        barProps={{ isAnimationActive: false, barSize: 14 }}
        barChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ width: 92 }}
        xAxisProps={{ allowDecimals: false }}
        series={[
          { name: 'healthy', label: 'Healthy', color: 'teal.6' },
          { name: 'failing', label: 'Failing', color: 'red.6' },
        ]}
      />
    </div>
  );
}

const sum = (total: number, { count }: { count: number }) => total + count;
