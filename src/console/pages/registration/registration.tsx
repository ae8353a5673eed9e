import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { useAct, useAsk } from '../../ask/hooks.ts';
import {
  ClearSpentQuotaDocument,
  OneRegistrationDocument,
  PauseRegistrationDocument,
  ResumeRegistrationDocument,
  RetryRegistrationDocument,
  type WholeRegistrationFragment,
} from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { DisconnectAll } from '../../parts/disconnect-all.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Copied } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Quota } from '../../parts/quota.tsx';
import { RegistrationState } from '../../parts/registration-state.tsx';
import { Time } from '../../parts/time.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { touched } from '../../words/count.ts';
import { DailyQuota } from './daily-quota.tsx';
import { AtThePlatform } from './platform.tsx';
import { CallbackSecrets, ClientSecret } from './secrets.tsx';
import { ServedApps } from './served-apps.tsx';

export function Registration() {
  const { id } = useParams<{ id: string }>();
  const { data, problem, again } = useAsk(OneRegistrationDocument, { id });
  const registration = data?.registration;
  return (
    <Page
      title={registration?.label ?? 'Registration'}
      lead={registration && `Our client at ${registration.provider}`}
      actions={registration && <Actions registration={registration} />}
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {registration === undefined && !problem && <Waiting />}
      {registration && (
        <>
          <Facts
            of={[
              ['State', <RegistrationState key="state" of={registration} />],
              ['Connections', registration.connectionCount.toLocaleString('en')],
              ['Quota used today', <Quota key="quota" usage={registration.usage} />],
              ['Quota day', registration.usage.day],
              ['Registration', <Copied key="id" text={id} what="the registration's id" />],
              ['Client id', registration.clientId],
              ['Made', <Time key="made" at={registration.createdAt} />],
            ]}
          />
          <AtThePlatform registration={registration} />
          <ServedApps registration={registration} />
          {registration.usage.callsAllowed !== null && <DailyQuota registration={registration} />}
          <ClientSecret registration={registration} />
          {registration.callbackUrls.length > 0 && <CallbackSecrets registration={registration} />}
        </>
      )}
    </Page>
  );
}

function Actions({ registration }: { registration: WholeRegistrationFragment }) {
  const { id, label, pausedAt, rejectedAt, usage } = registration;
  const [pause, resume] = [useAct(PauseRegistrationDocument), useAct(ResumeRegistrationDocument)];
  const [retry, clear] = [useAct(RetryRegistrationDocument), useAct(ClearSpentQuotaDocument)];
  return (
    <>
      <Button component={Link} href={`/connections?registration=${id}`} variant="subtle">
        Its connections
      </Button>
      {rejectedAt !== null && (
        <ActButton
          operation="retryRegistration"
          label="It is mended: use it again"
          variant="filled"
          act={async () => (await retry({ id })).problem}
          done="It is used again. Push what is stuck."
        />
      )}
      {usage.spentUntil !== null && (
        <ActButton
          operation="clearSpentQuota"
          label="Quota was raised: read again…"
          confirm={{
            title: 'Read again before the quota resets',
            action: 'Read again',
            text: 'For when the provider has raised the quota. If it has not, it says so again at once. Jobs that wait are not woken by it: push them.',
          }}
          act={async () => (await clear({ id })).problem}
          done="It reads again. Push what waits."
        />
      )}
      {pausedAt === null ? (
        <ActButton
          operation="pauseRegistration"
          label="Pause…"
          confirm={{
            title: `Pause “${label}”`,
            action: 'Pause',
            text: 'Reads and new attempts stop until it is resumed. Connections stay as they are; revokes, and refreshes that keep a grant alive, go on.',
            foresee: async () => {
              const { data, problem } = await pause({ id, dryRun: true });
              return problem ? { problem } : { text: touched(data.pauseRegistration) };
            },
          }}
          act={async () => (await pause({ id, dryRun: false })).problem}
          done="Paused."
        />
      ) : (
        <ActButton
          operation="resumeRegistration"
          label="Resume"
          variant="filled"
          act={async () => (await resume({ id })).problem}
          done="Resumed. Jobs that waited go on."
        />
      )}
      <DisconnectAll input={{ registrationId: id }} of={label} />
    </>
  );
}
