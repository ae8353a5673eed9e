import { Text } from '@mantine/core';
import { useAsk } from '../ask/hooks.ts';
import { CALM_MS } from '../ask/pace.ts';
import { DisconnectsDocument, type RunFragment } from '../generated/operations.ts';
import { AppName } from '../parts/app-name.tsx';
import { To } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Rows } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';

export const ofWhat = ({ tenantKey, registrationId, appId, appName }: RunFragment) =>
  tenantKey === null ? (
    <To href={`/registrations/${registrationId}`}>a registration</To>
  ) : (
    <>
      tenant “{tenantKey}”
      {appId !== null && appName !== null && (
        <>
          {' '}
          of <AppName inText id={appId} name={appName} />
        </>
      )}
    </>
  );

export function Disconnects() {
  const { data, problem, again } = useAsk(DisconnectsDocument, {}, { everyMs: CALM_MS });
  return (
    <Page
      title="Disconnects of many"
      lead={
        <>
          All connections of a tenant, or of a registration. One is begun on the page of an{' '}
          <To inText href="/apps">
            app
          </To>
          , tenant by tenant, or of a{' '}
          <To inText href="/registrations">
            registration
          </To>
          , and says first how many it touches.
        </>
      }
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {data === undefined && !problem && <Waiting />}
      {data && (
        <Rows
          caption="Disconnects of many"
          items={data.bulkDisconnects}
          idOf={({ id }) => id}
          none="None has been begun."
          columns={[
            {
              name: 'Begun',
              cell: ({ id, startedAt }) => (
                <To href={`/disconnects/${id}`}>
                  <Time at={startedAt} />
                </To>
              ),
            },
            { name: 'Of', cell: ofWhat },
            { name: 'Cut off', cell: ({ disconnected, total }) => `${disconnected} of ${total}` },
            { name: 'To be settled', cell: ({ unsettled }) => unsettled },
            {
              name: 'Revokes failed',
              cell: ({ revokesFailed }) =>
                revokesFailed > 0 ? (
                  <Text c="var(--mantine-color-error)" inherit>
                    {revokesFailed}
                  </Text>
                ) : (
                  0
                ),
            },
          ]}
        />
      )}
    </Page>
  );
}
