import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { DetailsList } from '../../components/details-list.tsx';
import { DisconnectAllButton } from '../../components/disconnect-all-button.tsx';
import { CopyableText } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QuotaUsage } from '../../components/quota-usage.tsx';
import { RegistrationStatus } from '../../components/registration-status.tsx';
import { Time } from '../../components/time.tsx';
import {
  ClearSpentQuotaDocument,
  PauseRegistrationDocument,
  type RegistrationDetailsFragment,
  RegistrationDocument,
  ResumeRegistrationDocument,
  RetryRegistrationDocument,
} from '../../generated/operations.ts';
import { describeImpact } from '../../texts/format.ts';
import { DailyQuota } from './daily-quota.tsx';
import { Permissions } from './permissions.tsx';
import { PlatformSettings } from './platform-settings.tsx';
import { CallbackSecrets, ClientSecret } from './secrets.tsx';
import { ServedApps } from './served-apps.tsx';

export function Registration() {
  const { id } = useParams<{ id: string }>();
  const { data, problem, refetch } = useAdminQuery(RegistrationDocument, { id });
  const registration = data?.registration;
  return (
    <Page
      title={registration?.label ?? 'Registration'}
      lead={registration && `Our OAuth client at ${formatProvider(registration.provider)}`}
      actions={registration && <Actions registration={registration} />}
    >
      {problem && <ProblemAlert problem={problem} onRetry={refetch} />}
      {registration === undefined && !problem && <Loading />}
      {registration && (
        <>
          <DetailsList
            of={[
              ['Status', <RegistrationStatus key="state" of={registration} />],
              ['Connections', registration.connectionCount.toLocaleString('en')],
              ['Quota used today', <QuotaUsage key="quota" usage={registration.usage} />],
              ['Quota day', registration.usage.day],
              ['Registration', <CopyableText key="id" text={id} name="the registration's id" />],
              ['Client id', registration.clientId],
              ['Created', <Time key="made" at={registration.createdAt} />],
            ]}
          />
          <PlatformSettings registration={registration} />
          <Permissions registration={registration} />
          <ServedApps registration={registration} />
          {registration.usage.unitsAllowed !== null && <DailyQuota registration={registration} />}
          <ClientSecret registration={registration} />
          {registration.callbackUrls.length > 0 && <CallbackSecrets registration={registration} />}
        </>
      )}
    </Page>
  );
}

function Actions({ registration }: { registration: RegistrationDetailsFragment }) {
  const { id, label, pausedAt, rejectedAt, doubtedAt, usage } = registration;
  const [pause, resume] = [useAdminMutation(PauseRegistrationDocument), useAdminMutation(ResumeRegistrationDocument)];
  const [retry, clear] = [useAdminMutation(RetryRegistrationDocument), useAdminMutation(ClearSpentQuotaDocument)];
  return (
    <>
      <Button component={Link} href={`/connections?registration=${id}`} variant="subtle">
        View connections
      </Button>
      {rejectedAt !== null && (
        <ActionButton
          operation="retryRegistration"
          label="Retry registration"
          variant="filled"
          run={async () => (await retry({ id })).problem}
          successMessage="The registration is in use again. Retry the stuck jobs."
        />
      )}
      {rejectedAt === null && doubtedAt !== null && (
        <ActionButton
          operation="retryRegistration"
          label="Believe the platform…"
          confirm={{
            title: 'Believe the platform',
            action: 'Believe it',
            isDanger: true,
            text: 'The platform refuses unusually many accounts, so their connections stay as they are. If you go on, each account that it refuses within the next day must reconnect. The service goes on by itself as soon as some of them work again.',
          }}
          run={async () => (await retry({ id })).problem}
          successMessage="The service believes the platform for a day."
        />
      )}
      {usage.spentUntil !== null && (
        <ActionButton
          operation="clearSpentQuota"
          label="Resume reads…"
          confirm={{
            title: 'Resume reads before the quota resets',
            action: 'Resume reads',
            text: 'Use this when the provider has raised the quota. Otherwise the next call reports the quota as used up again. Waiting jobs do not start by themselves: retry them.',
          }}
          run={async () => (await clear({ id })).problem}
          successMessage="Reads resume. Retry the waiting jobs."
        />
      )}
      {pausedAt === null ? (
        <ActionButton
          operation="pauseRegistration"
          label="Pause…"
          confirm={{
            title: `Pause “${label}”`,
            action: 'Pause',
            text: 'Reads and new attempts stop until you resume the registration. Connections stay. Revokes continue, and so do token refreshes that keep a grant alive.',
            preview: async () => {
              const { data, problem } = await pause({ id, dryRun: true });
              return problem ? { problem } : { text: describeImpact(data.pauseRegistration) };
            },
          }}
          run={async () => (await pause({ id, dryRun: false })).problem}
          successMessage="Registration paused."
        />
      ) : (
        <ActionButton
          operation="resumeRegistration"
          label="Resume"
          variant="filled"
          run={async () => (await resume({ id })).problem}
          successMessage="Registration resumed. Waiting jobs continue."
        />
      )}
      <DisconnectAllButton input={{ registrationId: id }} of={label} />
    </>
  );
}
