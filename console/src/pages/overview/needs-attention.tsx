import type { ReactNode } from 'react';
import { OPEN_JOB, PLATFORM_NAMES } from '../../../../src/basics/codes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { PlatformName } from '../../components/platform.tsx';
import { Dot } from '../../components/status-badge.tsx';
import { Age, Time, TimeUntil } from '../../components/time.tsx';
import { DISABLED_REASONS } from '../../components/webhook-endpoints.tsx';
import type { AttentionQuery, CredentialKind, OverviewQuery } from '../../generated/operations.ts';
import { formatCount, hostOf } from '../../texts/format.ts';
import { isJobOpen } from '../../texts/jobs.ts';

/** A key, secret or token that ends within this time needs an operator now. */
const URGENT_MS = 7 * 86_400_000;

interface Need {
  readonly id: string;
  readonly color: 'red' | 'orange';
  /** The problem, as a link to the page that repairs it. */
  readonly what: ReactNode;
  readonly owner: ReactNode;
  readonly when: ReactNode;
}

export const CREDENTIAL_KINDS: Readonly<Record<CredentialKind, string>> = {
  APP_KEY: 'App key',
  REGISTRATION_SECRET: 'Client secret of a registration',
  ISSUER_SECRET: 'Client secret of a sign-in issuer',
  ADMIN_TOKEN: 'Admin token',
};

type Credential = AttentionQuery['expiringCredentials'][number];

/** Where a credential is replaced. */
export function findCredentialPlace({ kind, id, appId }: Pick<Credential, 'kind' | 'id' | 'appId'>): string {
  const places: Readonly<Record<CredentialKind, string>> = {
    APP_KEY: `/apps/${appId}#keys`,
    REGISTRATION_SECRET: `/registrations/${id}`,
    ISSUER_SECRET: `/issuers/${id}`,
    ADMIN_TOKEN: '/tokens',
  };
  return places[kind];
}

/** Everything besides stuck jobs that waits for an operator, one line each, the worst first. */
export function NeedsAttention({
  data,
  overview,
  nowMs,
}: {
  data: AttentionQuery;
  overview: OverviewQuery['overview'];
  nowMs: number;
}) {
  const needs = [
    ...listWorkers(overview),
    ...listRegistrations(data),
    ...listEndpoints(data),
    ...listCredentials(data, nowMs),
  ];
  if (needs.length === 0) return null;
  const order = { red: 0, orange: 1 };
  return (
    <Section
      title="Needs attention"
      lead={
        data.troubledWebhookEndpoints.pageInfo.hasNextPage &&
        'The newest webhook endpoints are shown. The command webhook troubled shows all.'
      }
    >
      <DataTable
        caption="What needs attention"
        items={needs.sort((a, b) => order[a.color] - order[b.color])}
        idOf={({ id }) => id}
        empty=""
        columns={[
          {
            name: 'What',
            share: 60,
            cell: ({ color, what }) => (
              <span className="line" style={{ columnGap: 8 }}>
                <Dot color={color} />
                {what}
              </span>
            ),
          },
          { name: 'Where', cell: ({ owner }) => owner },
          { name: 'When', cell: ({ when }) => when },
        ]}
      />
    </Section>
  );
}

/** Without workers or Temporal, accepted work waits while everything else still looks healthy. */
function listWorkers({ workers, workersSeenAt, workerProcesses, jobs }: OverviewQuery['overview']): Need[] {
  const count = jobs.filter(isJobOpen).reduce((sum, job) => sum + job.count, 0);
  const waits =
    count === 0 ? (
      'connects, reads and revokes wait'
    ) : (
      <>
        <InternalLink isInline href={`/jobs?status=${OPEN_JOB.join(',')}`}>
          {formatCount(count, 'open job')}
        </InternalLink>{' '}
        and all connects wait
      </>
    );
  if (workers === 'ANSWERING')
    return workerProcesses
      .filter(({ silent }) => silent)
      .map(({ name, seenAt }) => ({
        id: name,
        color: 'orange',
        what: (
          <span>
            Worker {name} has not reported since <Time at={seenAt} />: others do its work
          </span>
        ),
        owner: 'Service',
        when: (
          <>
            for <Age since={seenAt} />
          </>
        ),
      }));
  const need = { id: 'workers', color: 'red', owner: 'Service' } as const;
  if (workers === 'NOT_KNOWN') {
    const what = 'Temporal did not answer within a second: connects, reads and revokes may wait';
    return [{ ...need, what, when: 'now' }];
  }
  if (workersSeenAt === null) return [{ ...need, what: <span>No worker answers: {waits}</span>, when: 'now' }];
  return [
    {
      ...need,
      what: (
        <span>
          No worker has answered since <Time at={workersSeenAt} />: {waits}
        </span>
      ),
      when: (
        <>
          for <Age since={workersSeenAt} />
        </>
      ),
    },
  ];
}

const listRegistrations = ({ registrations }: AttentionQuery): Need[] =>
  registrations.flatMap(({ id, label, provider, used, rejectedAt, doubtedAt }) => {
    const since = rejectedAt ?? doubtedAt;
    if (since === null || !used) return []; // A mistyped one before its first app is a matter of its page.
    const fault = rejectedAt === null ? 'refuses unusually many accounts' : 'refuses our client';
    return [
      {
        id,
        color: 'red' as const,
        what: (
          <InternalLink
            href={`/registrations/${id}`}
          >{`${PLATFORM_NAMES[provider]} ${fault}: “${label}”`}</InternalLink>
        ),
        owner: <PlatformName of={provider} />,
        when: (
          <>
            for <Age since={since} />
          </>
        ),
      },
    ];
  });

const listEndpoints = ({ troubledWebhookEndpoints: { items } }: AttentionQuery): Need[] =>
  items.map(({ id, url, appId, appName, failingSince, disabledReason, disabledAt, lastAnswer }) => {
    const answer = lastAnswer === null ? '' : `: ${lastAnswer.replace(/^HTTP_/, 'HTTP ')}`;
    const since = disabledReason === null ? failingSince : disabledAt;
    return {
      id,
      color: disabledReason === null || disabledReason === 'OPERATOR' ? ('orange' as const) : ('red' as const),
      what: (
        <InternalLink href={`/webhooks/${id}`}>
          {disabledReason === null
            ? `${hostOf(url)} refuses webhooks${answer}`
            : `${hostOf(url)} receives no webhooks (${DISABLED_REASONS[disabledReason]})`}
        </InternalLink>
      ),
      owner: <InternalLink href={`/apps/${appId}`}>{appName}</InternalLink>,
      when: since !== null && (
        <>
          for <Age since={since} />
        </>
      ),
    };
  });

const listCredentials = ({ expiringCredentials }: AttentionQuery, nowMs: number): Need[] =>
  expiringCredentials
    .filter(({ expiresAt }) => Date.parse(expiresAt) - nowMs < URGENT_MS)
    .map((credential) => ({
      id: `${credential.kind} ${credential.id}`,
      color: credential.expired ? ('red' as const) : ('orange' as const),
      what: (
        <InternalLink href={findCredentialPlace(credential)}>
          {`${CREDENTIAL_KINDS[credential.kind]} ${credential.expired ? 'has expired' : 'expires soon'}`}
        </InternalLink>
      ),
      owner: credential.label,
      when: credential.expired ? (
        <>
          <Age since={credential.expiresAt} /> ago
        </>
      ) : (
        <>
          in <TimeUntil at={credential.expiresAt} />
        </>
      ),
    }));
