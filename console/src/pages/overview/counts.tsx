import { Alert, Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { InternalLink, TemporalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Age } from '../../components/time.tsx';
import type { ConnectionStatus, OverviewQuery } from '../../generated/operations.ts';
import { formatCount } from '../../texts/format.ts';

/** Counts of connections, attempts and jobs. */
export function Counts({ overview }: { overview: OverviewQuery['overview'] }) {
  const { connections, openAttempts, outboxOldestAt, outboxWaiting, oldestStuckJobAt, stuckJobs } = overview;
  const { failingWorkflows, failingWorkflowsUrl } = overview;
  const inStatus = (...statuses: ConnectionStatus[]) =>
    connections.filter(({ status }) => statuses.includes(status)).reduce((sum, { count }) => sum + count, 0);
  const openJobs = overview.jobs.filter(({ status }) => status !== 'FAILED').reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title="Summary">
      {failingWorkflows !== null && failingWorkflows > 0 && (
        <Alert color="red" title={`${formatCount(failingWorkflows, 'workflow')} cannot go on`}>
          Their own code fails, or does not replay their histories. They go on with another build of the worker. See “A
          workflow cannot go on” in the runbook.{' '}
          <TemporalLink url={failingWorkflowsUrl}>Open them in Temporal</TemporalLink>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Tile name="Connected" value={inStatus('CONNECTED')} href="/connections?status=CONNECTED" />
        <Tile
          name="Reconnect required"
          value={inStatus('RECONNECT_REQUIRED')}
          href="/connections?status=RECONNECT_REQUIRED"
        />
        <Tile name="Suspended" value={inStatus('SUSPENDED')} href="/connections?status=SUSPENDED" />
        <Tile
          name="Disconnecting"
          value={inStatus('DISCONNECTED', 'DELETING')}
          href="/connections?status=DISCONNECTED,DELETING"
        />
        <Tile name="Open attempts" value={openAttempts} href="/attempts" />
        <Tile name="Open jobs" value={openJobs} href="/jobs?status=QUEUED,RUNNING" />
        <Tile
          name="Oldest stuck job"
          value={stuckJobs > 0 && oldestStuckJobAt !== null ? <Age since={oldestStuckJobAt} /> : 'none'}
          href="/jobs?stuck=true"
        />
        <Tile
          name="Waiting to start in Temporal"
          value={outboxWaiting}
          note={
            outboxWaiting > 0 && outboxOldestAt !== null ? (
              <>
                oldest for <Age since={outboxOldestAt} />
              </>
            ) : undefined
          }
        />
      </SimpleGrid>
    </Section>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly href?: string;
}

const Tile = ({ name, value, note, href }: TileProps) => (
  <Paper withBorder p="md">
    <Text size="sm" c="dimmed">
      {href === undefined ? name : <InternalLink href={href}>{name}</InternalLink>}
    </Text>
    <Text fz={{ base: 20, xs: 26 }} fw={650} lh={1.2}>
      {typeof value === 'number' ? value.toLocaleString('en') : value}
    </Text>
    {note !== undefined && (
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    )}
  </Paper>
);
