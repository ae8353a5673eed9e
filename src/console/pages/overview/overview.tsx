import { Text } from '@mantine/core';
import { useAsk } from '../../ask/hooks.ts';
import { CALM_MS, HURRIED_MS } from '../../ask/pace.ts';
import { OverviewDocument } from '../../generated/operations.ts';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Time } from '../../parts/time.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { usePushes } from '../../pushes.tsx';
import { Attention } from './attention.tsx';
import { Numbers } from './numbers.tsx';
import { Providers } from './providers.tsx';
import { Stuck } from './stuck.tsx';

/** What somebody on call has to see first, and next. */
export function Overview() {
  const { underWay } = usePushes();
  const { data, problem, again } = useAsk(OverviewDocument, {}, { everyMs: underWay ? HURRIED_MS : CALM_MS });
  return (
    <Page
      title="Overview"
      lead={
        data && (
          <Text size="sm" span>
            As of <Time at={data.overview.at} />
          </Text>
        )
      }
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {data === undefined && !problem && <Waiting />}
      {data && (
        <>
          <Stuck {...data} />
          <Numbers overview={data.overview} />
          <Providers overview={data.overview} />
          <Attention />
        </>
      )}
    </Page>
  );
}
