import { Alert, Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { OverviewQuery } from '../../generated/operations.ts';
import { JobCards } from '../../parts/job-card.tsx';
import { Section } from '../../parts/page.tsx';
import { PushedMany, PushMany } from '../../parts/push-many.tsx';
import { StuckGroups } from '../../parts/stuck-groups.tsx';
import { usePushes } from '../../pushes.tsx';
import { count } from '../../words/count.ts';

const WHAT_IT_MEANS =
  'Somebody disconnected an account, and our access at the provider could not be ended yet: they still see the app there. A push tries again at once, and is always safe.';

/** More than these are counted by app, provider and reason; those stuck for longest stand below. */
const FEW = 3;

/** What is stuck, revokes first: behind each stands a person who still sees the app at the platform. */
export function Stuck({ overview, stuckWork, revokes, others }: OverviewQuery) {
  const { watched } = usePushes();
  const { stuckJobs, stuckRevokes } = overview;
  const longest = [...revokes.items, ...others.items];
  const isMuch = stuckWork.count > FEW;
  const otherCount = stuckJobs - stuckRevokes;
  const title =
    stuckJobs === 0
      ? 'Nothing is stuck'
      : [
          stuckRevokes > 0 && `${count(stuckRevokes, 'revoke')} stuck`,
          otherCount > 0 && `${count(otherCount, stuckRevokes > 0 ? 'other job' : 'job')} stuck`,
        ]
          .filter((part) => part !== false)
          .join(', ');
  return (
    <Section
      title={title}
      lead={stuckRevokes > 0 && WHAT_IT_MEANS}
      actions={
        stuckJobs > 0 && (
          <>
            <Button component={Link} href="/jobs?stuck=true" variant="subtle">
              See all that is stuck
            </Button>
            {stuckJobs > 1 && <PushMany filter={{ stuck: true }} label="Push all that is stuck…" />}
          </>
        )
      }
    >
      <PushedMany />
      {isMuch && (
        <>
          <StuckGroups stuck={stuckWork} />
          <Text size="sm" c="dimmed">
            Those that have been stuck for longest:
          </Text>
        </>
      )}
      <JobCards jobs={isMuch ? longest.slice(0, FEW) : longest} />
      {stuckJobs === 0 && watched.length === 0 && (
        <Alert color="teal">Every revoke, erase and read is getting on, or has come to its end.</Alert>
      )}
    </Section>
  );
}
