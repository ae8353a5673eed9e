import { Alert, Button, Stack } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';
import { PLATFORM_NAMES } from '../../../../src/basics/codes.ts';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../../admin-client/polling.ts';
import { DryRunButton, MutationButton } from '../../components/action-button.tsx';
import { DetailColumns } from '../../components/detail-columns.tsx';
import { DetailsPanel } from '../../components/details-list.tsx';
import { DisconnectAllButton } from '../../components/disconnect-all-button.tsx';
import { CopyableText } from '../../components/links.tsx';
import { MoreActions } from '../../components/more-actions.tsx';
import { Page } from '../../components/page.tsx';
import { PlatformName } from '../../components/platform.tsx';
import { CertificateOfDeletionButton } from '../../components/proof-of-deletion-button.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { QuotaUsage } from '../../components/quota-usage.tsx';
import { RegistrationStatus } from '../../components/registration-status.tsx';
import { Span, Time } from '../../components/time.tsx';
import * as operations from '../../generated/operations.ts';
import { describeImpact } from '../../texts/format.ts';
import { describeCause } from '../../texts/jobs.ts';
import { getClientIdName } from '../../texts/providers.ts';
import { formatQuotaDay } from '../../texts/quota.ts';
import { ClientRefusals } from './client-refusals.tsx';
import { DailyQuota } from './daily-quota.tsx';
import { DisconnectAfter } from './disconnect-after.tsx';
import { Permissions } from './permissions.tsx';
import { PlatformSettings } from './platform-settings.tsx';
import { CallbackSecrets, ClientSecret } from './secrets.tsx';
import { ServedApps } from './served-apps.tsx';
import { SETTINGS } from './settings.tsx';
import { TestClient } from './test-client.tsx';

export function Registration() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(operations.RegistrationDocument, { id }, { pollMs: SLOW_POLL_MS });
  const registration = query.data?.registration;
  return (
    <Page
      title={registration?.label ?? 'Registration'}
      badge={registration && <RegistrationStatus of={registration} />}
      lead={<CopyableText text={id} name="the registration's id" />}
      actions={registration && <Actions registration={registration} />}
    >
      <QueryState of={query} />
      {registration && (
        <DetailColumns details={<Details of={registration} />}>
          {registration.rejectedAt !== null && <Refused registration={registration} since={registration.rejectedAt} />}
          <ServedApps registration={registration} />
          <Permissions registration={registration} />
          <ClientSecret registration={registration} />
          <PlatformSettings registration={registration} />
          {registration.callbackUrls.length > 0 && <CallbackSecrets registration={registration} />}
          {registration.usage.unitsAllowed !== null && <DailyQuota registration={registration} />}
          <DisconnectAfter registration={registration} />
          {SETTINGS.map(({ title, Settings }) => (
            <Settings key={title} registration={registration} />
          ))}
          <ClientRefusals provider={registration.provider} />
        </DetailColumns>
      )}
    </Page>
  );
}

const Details = ({ of: registration }: { of: operations.RegistrationDetailsFragment }) => (
  <DetailsPanel
    of={[
      ['Platform', <PlatformName key="platform" of={registration.provider} />],
      [getClientIdName(registration.provider), registration.clientId],
      ['Connections', registration.connectionCount.toLocaleString('en')],
      ['Quota used', <QuotaUsage key="quota" usage={registration.usage} isShort />],
      [
        'Quota day',
        registration.usage.unitsAllowed !== null && (
          <>
            {formatQuotaDay(registration.usage)}, ends <Time at={registration.usage.resetsAt} />
          </>
        ),
      ],
      [
        'Last refused',
        registration.refusedFrom && registration.refusedUntil && (
          <Span key="refused" from={registration.refusedFrom} to={registration.refusedUntil} />
        ),
      ],
      ['Created', <Time key="made" at={registration.createdAt} />],
    ]}
  />
);

/** The platform's answer when it refused our client, the meaning of that, and the repair. */
function Refused({ registration, since }: { registration: operations.RegistrationDetailsFragment; since: string }) {
  const { provider, rejectionAnswer, rejectionAnswerCode, testedAt, acceptedAt } = registration;
  const platform = PLATFORM_NAMES[provider];
  const cause = describeCause({ lastAnswer: rejectionAnswer, lastAnswerCode: rejectionAnswerCode });
  return (
    <Alert color="red" title={`${platform} refuses this client`} role="status">
      <Stack gap="xs">
        <div>
          Since <Time at={since} />
          {testedAt !== null && (
            <>
              , last tested <Time at={testedAt} />
            </>
          )}
          .{cause !== null && ` At the test, ${cause}`}{' '}
          {acceptedAt === null ? (
            'It has never accepted this client.'
          ) : (
            <>
              The last acceptance on record is of <Time at={acceptedAt} />: not every call that it accepts is recorded.
            </>
          )}
        </div>
        <div>
          Grants stay valid. Calls wait, and apps get FORBIDDEN for new connects. Compare client id, secret and redirect
          URI with the client’s settings at the platform. Correct them there, or store a new secret below; then test
          this client. The service also tests it automatically, about once a minute.
        </div>
      </Stack>
    </Alert>
  );
}

function Actions({ registration }: { registration: operations.RegistrationDetailsFragment }) {
  const [, go] = useLocation();
  const { id, label, pausedAt, rejectedAt, doubtedAt, usage } = registration;
  const resume = useAdminMutation(operations.ResumeRegistrationDocument);
  return (
    <>
      <TestClient registration={registration} />
      {rejectedAt === null && doubtedAt !== null && (
        <MutationButton
          mutation={operations.RetryRegistrationDocument}
          label="Believe the platform…"
          confirm={{
            title: 'Believe the platform',
            action: 'Believe it',
            isDanger: true,
            text: 'The platform refuses unusually many accounts, so their connections stay as they are. If you continue, each account that it refuses within the next day must reconnect. The service continues automatically as soon as some of them work again.',
          }}
          variables={{ id }}
          successMessage="The service believes the platform for a day."
        />
      )}
      {usage.spentUntil !== null && (
        <MutationButton
          mutation={operations.ClearSpentQuotaDocument}
          label="Resume reads…"
          confirm={{
            title: 'Resume reads before the quota resets',
            action: 'Resume reads',
            text: 'Use this when the provider has raised the quota. Otherwise the next call reports the quota as used up again. Waiting jobs do not start automatically: retry them.',
          }}
          variables={{ id }}
          successMessage="Reads resume. Retry the waiting jobs."
        />
      )}
      {pausedAt !== null && (
        <MutationButton
          mutation={operations.ResumeRegistrationDocument}
          label="Resume"
          variant="filled"
          variables={{ id }}
          successMessage="Registration resumed. Waiting jobs continue."
        />
      )}
      <MoreActions>
        <Button component={Link} href={`/connections?registration=${id}`} variant="subtle">
          View connections
        </Button>
        {pausedAt === null && (
          <DryRunButton
            mutation={operations.PauseRegistrationDocument}
            variables={{ id }}
            label="Pause…"
            confirm={{
              title: `Pause “${label}”`,
              action: 'Pause',
              text: 'Reads and new attempts stop until you resume the registration. Connections stay. Revokes continue, and so do token refreshes that keep a grant alive.',
            }}
            describe={({ pauseRegistration }) => ({ text: describeImpact(pauseRegistration) })}
            successMessage="Registration paused."
            undo={async () => (await resume({ id })).problem}
          />
        )}
        {pausedAt !== null && registration.connectionCount === 0 && <CertificateOfDeletionButton registrationId={id} />}
        <DisconnectAllButton input={{ registrationId: id }} of={label} />
        {registration.apps.length === 0 && registration.connectionCount === 0 && (
          <MutationButton
            mutation={operations.DeleteRegistrationDocument}
            label="Delete…"
            color="red"
            variant="outline"
            confirm={{
              title: `Delete “${label}”`,
              action: 'Delete',
              isDanger: true,
              text: `For a registration that was stored by mistake. The service destroys its secret. Our client at ${PLATFORM_NAMES[registration.provider]} stays: remove it there.`,
            }}
            variables={{ id }}
            onDone={() => go('/registrations')}
            successMessage={`“${label}” is deleted.`}
          />
        )}
      </MoreActions>
    </>
  );
}
