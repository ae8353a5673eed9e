import { Text } from '@mantine/core';
import { useParams } from 'wouter';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { DetailsList } from '../components/details-list.tsx';
import { JobCard } from '../components/job-card.tsx';
import { CopyableText, TemporalLink } from '../components/links.tsx';
import { LiveState } from '../components/live-state.tsx';
import { Page, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { type JobDetailsFragment, JobDocument } from '../generated/operations.ts';
import { describeLastTry, isJobOpen, JOB_PURPOSES, JOB_TITLES } from '../texts/jobs.ts';

export function Job() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(JobDocument, { id }, { pollMs: SLOW_POLL_MS });
  const state = <QueryState of={query} />;
  if (query.data === undefined) return <Page title="Job">{state}</Page>;
  const { job } = query.data;
  return (
    <Page title={`${JOB_TITLES[job.kind]} at ${formatProvider(job.provider)}`} lead={JOB_PURPOSES[job.kind]}>
      {state}
      <JobCard job={job} />
      {isJobOpen(job) && <LiveState id={job.id} />}
      <Details job={job} />
    </Page>
  );
}

const Details = ({ job }: { job: JobDetailsFragment }) => (
  <Section title="Details">
    <DetailsList
      of={[
        ['Job', <CopyableText key="id" text={job.id} name="the job's id" />],
        ['App', <AppLink key="app" id={job.appId} name={job.appName} />],
        ['Tenant', job.tenantKey],
        ['Subject', job.externalSubjectId],
        ['Account', job.providerAccountId],
        ['Created', <Time key="created" at={job.createdAt} />],
        ['Started', job.startedAt && <Time at={job.startedAt} />],
        ['First failure', job.firstFailedAt && <Time at={job.firstFailedAt} />],
        ['Last failed try', job.lastTriedAt && <Time at={job.lastTriedAt} />],
        ['What came back', job.lastAnswer && `${job.lastAnswer}: ${describeLastTry(job)}`],
        ['Next try', isJobOpen(job) && job.nextTryAt && <Time at={job.nextTryAt} />],
        ['Gives up', isJobOpen(job) && job.givesUpAt && <Time at={job.givesUpAt} />],
        ['Ended', job.finishedAt && <Time at={job.finishedAt} />],
        ['Posts read', job.itemCount],
        ['Incomplete', job.incompleteReason],
        ['Workflow', <CopyableText key="workflow" text={job.workflowId} name="the workflow's id" />],
        ['Temporal UI', job.workflowUrl && <TemporalLink url={job.workflowUrl}>Open the workflow</TemporalLink>],
        ['Correlation id', <CopyableText key="correlation" text={job.correlationId} name="the correlation id" />],
      ]}
    />
    <Text size="sm" c="dimmed">
      The correlation id belongs to the request that created the job. You find it in the log and in the workflow's memo.
    </Text>
  </Section>
);
