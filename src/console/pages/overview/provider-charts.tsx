import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { OverviewQuery } from '../../generated/operations.ts';

type Overview = OverviewQuery['overview'];

interface ProviderChartsProps {
  readonly health: Overview['providers'][number];
  readonly connections: Overview['connections'];
  readonly height: number;
}

/** Jobs of the last hour, those open, and connections: bars side by side, whose words stand below for screen readers. */
export default function ProviderCharts({ health, connections, height }: ProviderChartsProps) {
  const connected = connections.filter(({ status }) => status === 'CONNECTED').reduce(sum, 0);
  const others = connections.filter(({ status }) => status !== 'CONNECTED').reduce(sum, 0);
  const failing = health.failing.reduce(sum, 0);
  const bars = [
    { name: 'Ended in the last hour', well: health.succeededLastHour, badly: health.failedLastHour },
    { name: 'Open jobs', well: health.openJobs - failing, badly: failing },
    { name: 'Connections', well: connected, badly: others },
  ];
  const inWords = bars.map(({ name, well, badly }) => `${name}: ${well} well, ${badly} not.`).join(' ');
  return (
    <div role="img" aria-label={inWords}>
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
          { name: 'well', label: 'well', color: 'teal.6' },
          { name: 'badly', label: 'not', color: 'red.6' },
        ]}
      />
    </div>
  );
}

const sum = (total: number, { count }: { count: number }) => total + count;
