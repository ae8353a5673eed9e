import { Alert, SimpleGrid } from '@mantine/core';
import { TemporalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Tile } from '../../components/tile.tsx';
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
        <Alert color="red" title={`${formatCount(failingWorkflows, 'workflow')} cannot continue`}>
          Temporal reports that their tasks fail or time out: a defect, a history that does not replay, or a worker that
          does not answer. They continue once a task succeeds. See “A workflow cannot continue” in the runbook.{' '}
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
