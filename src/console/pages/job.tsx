import { Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useAsk } from '../ask/hooks.ts';
import { CALM_MS } from '../ask/pace.ts';
import { OneJobDocument, type WorkFragment } from '../generated/operations.ts';
import { AppName } from '../parts/app-name.tsx';
import { Facts } from '../parts/facts.tsx';
import { JobCard } from '../parts/job-card.tsx';
import { Copied, TemporalLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { isOpen, KINDS, PURPOSES } from '../words/jobs.ts';

export function Job() {
  const { id } = useParams<{ id: string }>();
  const { data, problem, again } = useAsk(OneJobDocument, { id }, { everyMs: CALM_MS });
  if (data === undefined) {
    return <Page title="Job">{problem ? <ProblemNote problem={problem} onAgain={again} /> : <Waiting />}</Page>;
  }
  const { job } = data;
  return (
    <Page title={`${KINDS[job.kind]} at ${job.provider}`} lead={PURPOSES[job.kind]}>
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      <JobCard job={job} />
      <Details job={job} />
    </Page>
  );
}

const Details = ({ job }: { job: WorkFragment }) => (
  <Section title="Details">
    <Facts
      of={[
        ['Job', <Copied key="id" text={job.id} what="the job's id" />],
        ['App', <AppName key="app" id={job.appId} name={job.appName} />],
        ['Tenant', job.tenantKey],
        ['Begun', <Time key="at" at={job.startedAt ?? job.createdAt} />],
        ['First failed', job.firstFailedAt && <Time at={job.firstFailedAt} />],
        ['Next try', isOpen(job) && job.nextTryAt && <Time at={job.nextTryAt} />],
        ['Gives up', isOpen(job) && job.givesUpAt && <Time at={job.givesUpAt} />],
        ['Ended', job.finishedAt && <Time at={job.finishedAt} />],
        ['Posts read', job.itemCount],
        ['Incomplete', job.incompleteReason],
        ['Workflow', <Copied key="workflow" text={job.workflowId} what="the workflow's id" />],
        ['Temporal UI', job.workflowUrl && <TemporalLink url={job.workflowUrl}>Open the workflow</TemporalLink>],
        ['Correlation id', <Copied key="correlation" text={job.correlationId} what="the correlation id" />],
      ]}
    />
    <Text size="sm" c="dimmed">
      The correlation id is that of the request that asked for it; it stands in the log and in the workflow's memo.
    </Text>
  </Section>
);
