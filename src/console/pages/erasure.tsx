import { Progress, Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useAsk } from '../ask/hooks.ts';
import { HURRIED_MS } from '../ask/pace.ts';
import { type ErasureReceiptFragment, OneErasureDocument } from '../generated/operations.ts';
import { Facts } from '../parts/facts.tsx';
import { JobCard } from '../parts/job-card.tsx';
import { Copied, To } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { ProofButton } from '../parts/proof-button.tsx';
import { Nothing, Rows } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { count } from '../words/count.ts';

function progressOf({ completedAt, connectionIds, remaining }: ErasureReceiptFragment): string {
  if (completedAt !== null) return 'Complete: nothing is left but receipts.';
  if (remaining > 0) {
    return `Under way: ${connectionIds.length - remaining} of ${count(connectionIds.length, 'connection')} erased.`;
  }
  return 'Under way: all its connections are erased. It is complete once its last revoke has ended, noted within a minute.';
}

/** The receipt of an erasure, as it comes to its end. */
export function Erasure() {
  const { id } = useParams<{ id: string }>();
  const known = useAsk(OneErasureDocument, { id }, { everyMs: HURRIED_MS });
  const erasure = known.data?.erasure;
  return (
    <Page title="Erasure of a person" lead="A receipt: random ids only, nothing that says who it was.">
      {known.problem && <ProblemNote problem={known.problem} onAgain={known.again} />}
      {erasure === undefined && !known.problem && <Waiting />}
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
          <Facts
            of={[
              ['Receipt', <Copied key="id" text={erasure.id} what="the receipt's id" />],
              ['Asked for', <Time key="asked" at={erasure.requestedAt} />],
              ['Complete', erasure.completedAt && <Time at={erasure.completedAt} />],
            ]}
          />
          <Section title="Connections">
            <Rows
              caption="Connections of this erasure"
              items={erasure.connectionIds}
              idOf={(one) => one}
              none="There were none."
              columns={[
                { name: 'Connection', cell: (one) => <To href={`/connections/${one}`}>{one}</To> },
                { name: '', cell: (one) => <ProofButton connectionId={one} /> },
              ]}
            />
          </Section>
          <Section title="Receipts">
            {erasure.jobs.length === 0 && <Nothing>None is left: receipts are kept for 7 days.</Nothing>}
            {erasure.jobs.map((job) => (
              <JobCard key={job.id} job={job} />
            ))}
          </Section>
        </>
      )}
    </Page>
  );
}
