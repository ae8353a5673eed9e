import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAsk, useMake } from '../ask/hooks.ts';
import {
  CreateRegistrationDocument,
  RegistrationsDocument,
  ServiceDocument,
  type SocialProvider,
} from '../generated/operations.ts';
import { DateInput } from '../parts/date-input.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PROVIDERS } from '../parts/filters.tsx';
import { Copied, To } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Quota } from '../parts/quota.tsx';
import { RegistrationState } from '../parts/registration-state.tsx';
import { Rows } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useSession } from '../session.tsx';
import type { Problem } from '../words/problem.ts';
import { hindranceOf } from '../words/roles.ts';
import { startOfDay } from '../words/time.ts';

export function Registrations() {
  const { me } = useSession();
  const { data, problem, again } = useAsk(RegistrationsDocument, {});
  const service = useAsk(ServiceDocument, {});
  const [opened, { open, close }] = useDisclosure();
  const hindrance = hindranceOf(me.role, 'createRegistration');
  return (
    <Page
      title="Registrations"
      lead="Our OAuth clients at the providers. Their secrets go in and never come out."
      actions={hindrance === undefined && <Button onClick={open}>New registration</Button>}
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {data === undefined && !problem && <Waiting />}
      {data && (
        <Rows
          caption="Registrations"
          items={data.registrations}
          idOf={({ id }) => id}
          none="There is none yet."
          columns={[
            { name: 'Registration', cell: ({ id, label }) => <To href={`/registrations/${id}`}>{label}</To> },
            { name: 'Provider', cell: ({ provider }) => provider },
            { name: 'State', cell: (registration) => <RegistrationState of={registration} /> },
            { name: 'Connections', cell: ({ connectionCount }) => connectionCount.toLocaleString('en') },
            { name: 'Apps', cell: ({ apps }) => few(apps.map(({ name }) => name)) },
            { name: 'Quota used today', cell: ({ usage }) => <Quota usage={usage} /> },
            {
              name: 'Secret expires',
              cell: ({ secretExpiresAt }) => (secretExpiresAt ? <Time at={secretExpiresAt} /> : 'not known'),
            },
          ]}
        />
      )}
      {service.data && (
        <Section
          title="Redirect URIs"
          lead="To be registered at each provider, to the letter, with every client there."
        >
          <Rows
            caption="Redirect URIs"
            items={service.data.service.redirectUris}
            idOf={({ provider }) => provider}
            none=""
            columns={[
              { name: 'Provider', cell: ({ provider }) => provider },
              { name: 'Redirect URI', cell: ({ url }) => <Copied text={url} what="the redirect URI" /> },
            ]}
          />
        </Section>
      )}
      {opened && (
        <Dialog title="New registration" onClose={close} size="lg">
          <NewRegistration />
        </Dialog>
      )}
    </Page>
  );
}

const SHOWN = 3;

const few = (names: readonly string[]): string => {
  if (names.length === 0) return 'none';
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
};

function NewRegistration() {
  const create = useMake(CreateRegistrationDocument);
  const [, go] = useLocation();
  const [problem, setProblem] = useState<Problem>();
  const form = useForm({
    initialValues: { provider: '', label: '', clientId: '', clientSecret: '', secretExpiresOn: '' },
  });
  const submit = form.onSubmit(async ({ provider, secretExpiresOn, ...rest }) => {
    const { data, problem: failed } = await create((idempotencyKey) => ({
      input: {
        ...rest,
        provider: provider as SocialProvider,
        secretExpiresAt: startOfDay(secretExpiresOn),
        idempotencyKey,
      },
    }));
    setProblem(failed);
    if (data) go(`/registrations/${data.createRegistration.id}`);
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Select label="Provider" data={[...PROVIDERS]} required {...form.getInputProps('provider')} />
        <TextInput
          label="Label"
          description="What we call it"
          required
          maxLength={200}
          {...form.getInputProps('label')}
        />
        <TextInput label="Client id" required maxLength={200} {...form.getInputProps('clientId')} />
        <PasswordInput
          label="Client secret"
          description="Sealed at once; nothing shows it again"
          autoComplete="off"
          required
          {...form.getInputProps('clientSecret')}
        />
        <DateInput
          label="Secret expires on"
          description="If the provider said so"
          value={form.values.secretExpiresOn}
          onChange={(day) => form.setFieldValue('secretExpiresOn', day)}
        />
        {problem && <ProblemNote problem={problem} />}
        <Group justify="flex-end">
          <Button type="submit" loading={form.submitting}>
            Store it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
