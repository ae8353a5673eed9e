import { Button, Group, PasswordInput, Select } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { useAct, useAsk } from '../ask/hooks.ts';
import {
  AppNamesDocument,
  OneRegistrationDocument,
  PauseRegistrationDocument,
  ResumeRegistrationDocument,
  RotateRegistrationSecretDocument,
  ServeAppDocument,
  StopServingAppDocument,
  type WholeRegistrationFragment,
} from '../generated/operations.ts';
import { ActButton } from '../parts/act-button.tsx';
import { DateInput } from '../parts/date-input.tsx';
import { DisconnectAll } from '../parts/disconnect-all.tsx';
import { Facts } from '../parts/facts.tsx';
import { To } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Quota } from '../parts/quota.tsx';
import { RegistrationState } from '../parts/registration-state.tsx';
import { Rows } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { count } from '../words/count.ts';
import { startOfDay } from '../words/time.ts';

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
              ['Client id', registration.clientId],
              ['Made', <Time key="made" at={registration.createdAt} />],
            ]}
          />
          <ServedApps registration={registration} />
          <Secret registration={registration} />
        </>
      )}
    </Page>
  );
}

const touched = ({ connectionCount, openJobCount }: { connectionCount: number; openJobCount: number }) =>
  `${count(connectionCount, 'connection')} cannot be read after it; ${count(openJobCount, 'open job')} will wait, or fail, because of it.`;

function Actions({ registration: { id, label, pausedAt } }: { registration: WholeRegistrationFragment }) {
  const [pause, resume] = [useAct(PauseRegistrationDocument), useAct(ResumeRegistrationDocument)];
  return (
    <>
      <Button component={Link} href={`/connections?registration=${id}`} variant="subtle">
        Its connections
      </Button>
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

function ServedApps({ registration: { id: registrationId, apps } }: { registration: WholeRegistrationFragment }) {
  const names = useAsk(AppNamesDocument, {}).data?.apps.items ?? [];
  const [serve, stop] = [useAct(ServeAppDocument), useAct(StopServingAppDocument)];
  const [chosen, setChosen] = useState<string | null>(null);
  const others = names.filter(({ id }) => !apps.some(({ appId }) => appId === id));
  return (
    <Section title="Apps it serves">
      <Rows
        caption="Apps that this registration serves"
        items={apps}
        idOf={({ appId }) => appId}
        none="It serves no app yet."
        columns={[
          { name: 'App', cell: ({ appId, name }) => <To href={`/apps/${appId}`}>{name}</To> },
          { name: 'Since', cell: ({ since }) => <Time at={since} /> },
          {
            name: '',
            cell: ({ appId, name }) => (
              <ActButton
                operation="stopServingApp"
                label="Stop serving…"
                about={name}
                size="xs"
                confirm={{
                  title: `Stop serving ${name}`,
                  action: 'Stop serving',
                  isDanger: true,
                  foresee: async () => {
                    const { data, problem } = await stop({ registrationId, appId, dryRun: true });
                    return problem ? { problem } : { text: touched(data.stopServingApp) };
                  },
                }}
                act={async () => (await stop({ registrationId, appId, dryRun: false })).problem}
                done="It serves this app no longer."
              />
            ),
          },
        ]}
      />
      {others.length > 0 && (
        <Group align="flex-end">
          <Select
            label="Another app"
            placeholder="Choose an app"
            data={others.map(({ id, name }) => ({ value: id, label: `${name} (${id.slice(0, 8)})` }))}
            value={chosen}
            onChange={setChosen}
            searchable
          />
          <ActButton
            operation="serveApp"
            label="Serve it"
            act={async () => {
              if (chosen === null) return { code: 'BAD_USER_INPUT', message: 'Choose an app first.' };
              const { problem } = await serve({ registrationId, appId: chosen });
              if (!problem) setChosen(null);
              return problem;
            }}
            done="It serves this app from now on."
          />
        </Group>
      )}
    </Section>
  );
}

/** Goes in, and never comes out. */
function Secret({ registration: { id, secretSetAt, secretExpiresAt } }: { registration: WholeRegistrationFragment }) {
  const rotate = useAct(RotateRegistrationSecretDocument);
  const [clientSecret, setClientSecret] = useState('');
  const [expiresOn, setExpiresOn] = useState('');
  return (
    <Section
      title="Client secret"
      lead={
        <>
          Stored <Time at={secretSetAt} />
          {secretExpiresAt !== null && (
            <>
              ; the provider stops taking it <Time at={secretExpiresAt} />
            </>
          )}
          . Nothing shows it again.
        </>
      }
    >
      <Group align="flex-end">
        <PasswordInput
          label="New secret"
          autoComplete="off"
          miw={280}
          value={clientSecret}
          onChange={({ currentTarget }) => setClientSecret(currentTarget.value)}
        />
        <DateInput label="Expires on" value={expiresOn} onChange={setExpiresOn} />
        <ActButton
          operation="rotateRegistrationSecret"
          label="Replace the secret"
          act={async () => {
            const { problem } = await rotate({ id, clientSecret, secretExpiresAt: startOfDay(expiresOn) });
            if (!problem) setClientSecret('');
            return problem;
          }}
          done="Replaced. Calls from now on use the new one."
        />
      </Group>
    </Section>
  );
}
