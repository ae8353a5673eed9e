import { Progress, Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { FAST_POLL_MS } from '../admin-client/polling.ts';
import { DataTable, EmptyState } from '../components/data-table.tsx';
import { DetailsList } from '../components/details-list.tsx';
import { JobCard } from '../components/job-card.tsx';
import { CopyableText, InternalLink } from '../components/links.tsx';
import { Page, Section } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { ProofOfDeletionButton, ProofsOfDeletionButton } from '../components/proof-of-deletion-button.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { type ErasureDetailsFragment, ErasureDocument } from '../generated/operations.ts';
import { formatCount } from '../texts/format.ts';
import { isJobOpen } from '../texts/jobs.ts';

function progressOf({ completedAt, connectionIds, remaining }: ErasureDetailsFragment): string {
  if (connectionIds.length === 0 && completedAt !== null) return 'Complete. The person had no connections.';
  if (completedAt !== null) return 'Complete. Only the receipts are left.';
  if (remaining > 0) {
    return `In progress: ${connectionIds.length - remaining} of ${formatCount(connectionIds.length, 'connection')} erased.`;
  }
  return 'In progress: all connections are erased. The erasure completes within a minute after the last revoke has ended.';
}

/** The erase of a connection. The service keeps its job for seven days after it has ended. */
const findErase = ({ jobs }: ErasureDetailsFragment, connectionId: string) =>
  jobs.find((job) => job.kind === 'ERASE' && job.connectionId === connectionId);

function describeErase(erasure: ErasureDetailsFragment, connectionId: string): string {
  const erase = findErase(erasure, connectionId);
  if (erase === undefined || !isJobOpen(erase)) return 'Erased';
  const revoke = erasure.jobs.find((job) => job.kind === 'REVOKE' && job.connectionId === connectionId);
  return revoke !== undefined && isJobOpen(revoke) ? `Revoking, try ${revoke.tries + 1}` : 'Erasing';
}

/** The receipt of one erasure, with its progress. */
export function Erasure() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(ErasureDocument, { id }, { pollMs: FAST_POLL_MS });
  const erasure = query.data?.erasure;
  const isErased = (connectionId: string) => erasure !== undefined && describeErase(erasure, connectionId) === 'Erased';
  return (
    <Page title="Erasure of a person" lead="A receipt. It holds random ids only and does not identify the person.">
      <QueryState of={query} />
      {erasure && (
        <>
          <div role="status">
            <Text>{progressOf(erasure)}</Text>
          </div>
          {erasure.connectionIds.length > 0 && (
            <Progress
              value={100 * (1 - erasure.remaining / erasure.connectionIds.length)}
              color={erasure.completedAt === null ? 'indigo' : 'teal'}
              aria-label="Connections erased"
            />
          )}
          <DetailsList
            of={[
              ['Receipt', <CopyableText key="id" text={erasure.id} name="the receipt's id" />],
              ['Requested', <Time key="asked" at={erasure.requestedAt} />],
              ['Completed', erasure.completedAt && <Time at={erasure.completedAt} />],
            ]}
          />
          <Section
            title="Connections"
            actions={<ProofsOfDeletionButton connectionIds={erasure.connectionIds.filter(isErased)} />}
          >
            <DataTable
              caption="Connections of this erasure"
              items={erasure.connectionIds}
              idOf={(one) => one}
              empty="There were no connections."
              columns={[
                { name: 'Connection', cell: (one) => <InternalLink href={`/connections/${one}`}>{one}</InternalLink> },
                {
                  name: 'Platform',
                  cell: (one) => {
                    const erase = findErase(erasure, one);
                    return erase === undefined ? '–' : <PlatformName of={erase.provider} />;
                  },
                },
                { name: 'State', cell: (one) => describeErase(erasure, one) },
                {
                  name: '',
                  cell: (one) => <ProofOfDeletionButton connectionId={one} isErased={isErased(one)} />,
                },
              ]}
            />
          </Section>
          {erasure.connectionIds.length > 0 && (
            <Section title="Receipts">
              {erasure.jobs.length === 0 && <EmptyState>The receipts are gone: they are kept for 7 days.</EmptyState>}
              {erasure.jobs.map((job) => (
                <JobCard key={job.id} job={job} isAnonymous />
              ))}
            </Section>
          )}
        </>
      )}
    </Page>
  );
}
