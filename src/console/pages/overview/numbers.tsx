import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConnectionStatus, OverviewQuery } from '../../generated/operations.ts';
import { To } from '../../parts/links.tsx';
import { Section } from '../../parts/page.tsx';
import { Age } from '../../parts/time.tsx';

/** Counts of what there is. */
export function Numbers({ overview }: { overview: OverviewQuery['overview'] }) {
  const { connections, openAttempts, outboxOldestAt, outboxWaiting, oldestStuckJobAt, stuckJobs } = overview;
  const inStatus = (...statuses: ConnectionStatus[]) =>
    connections.filter(({ status }) => statuses.includes(status)).reduce((sum, { count }) => sum + count, 0);
  const openJobs = overview.jobs.filter(({ status }) => status !== 'FAILED').reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title="In numbers">
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Tile name="Connected" value={inStatus('CONNECTED')} href="/connections?status=CONNECTED" />
        <Tile
          name="Need a reconnect"
          value={inStatus('RECONNECT_REQUIRED')}
          href="/connections?status=RECONNECT_REQUIRED"
        />
        <Tile name="On hold" value={inStatus('SUSPENDED')} href="/connections?status=SUSPENDED" />
        <Tile
          name="Being disconnected"
          value={inStatus('DISCONNECTED', 'DELETING')}
          href="/connections?status=DISCONNECTED,DELETING"
        />
        <Tile name="Attempts under way" value={openAttempts} href="/attempts" />
        <Tile name="Open jobs" value={openJobs} href="/jobs?status=QUEUED,RUNNING" />
        <Tile
          name="Oldest stuck work"
          value={stuckJobs > 0 && oldestStuckJobAt !== null ? <Age since={oldestStuckJobAt} /> : 'none'}
          href="/jobs?stuck=true"
        />
        <Tile
          name="Waiting for Temporal"
          value={outboxWaiting}
          note={
            outboxWaiting > 0 && outboxOldestAt !== null ? (
              <>
                the oldest for <Age since={outboxOldestAt} />
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
      {href === undefined ? name : <To href={href}>{name}</To>}
    </Text>
    <Text fz={26} fw={650} lh={1.2}>
      {typeof value === 'number' ? value.toLocaleString('en') : value}
    </Text>
    {note !== undefined && (
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    )}
  </Paper>
);
