import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { useAdminQuery, useIdempotentMutation } from '../admin-client/hooks.ts';
import { DataTable } from '../components/data-table.tsx';
import { DateInput } from '../components/date-input.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CopyableText, InternalLink } from '../components/links.tsx';
import { Page, Section } from '../components/page.tsx';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { QueryState } from '../components/query-state.tsx';
import { QuotaUsage } from '../components/quota-usage.tsx';
import { RegistrationStatus } from '../components/registration-status.tsx';
import { Time } from '../components/time.tsx';
import {
  CreateRegistrationDocument,
  RegistrationsDocument,
  ServiceDocument,
  type SocialProvider,
} from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import type { Problem } from '../texts/problem.ts';
import { PROVIDERS } from '../texts/providers.ts';
import { explainMissingRole } from '../texts/roles.ts';
import { toStartOfDay } from '../texts/time.ts';

export function Registrations() {
  const { me } = useSession();
  const query = useAdminQuery(RegistrationsDocument, {});
  const service = useAdminQuery(ServiceDocument, {});
  const [opened, { open, close }] = useDisclosure();
  const missingRole = explainMissingRole(me.role, 'createRegistration');
  return (
    <Page
      title="Registrations"
      lead="Our OAuth clients at the providers. The console never shows their secrets."
      actions={missingRole === undefined && <Button onClick={open}>New registration</Button>}
    >
      <QueryState of={query} />
      {query.data && (
        <DataTable
          caption="Registrations"
          items={query.data.registrations}
          idOf={({ id }) => id}
          empty="There are no registrations yet."
          columns={[
            {
              name: 'Registration',
              cell: ({ id, label }) => <InternalLink href={`/registrations/${id}`}>{label}</InternalLink>,
            },
            { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
            { name: 'Status', cell: (registration) => <RegistrationStatus of={registration} /> },
            { name: 'Connections', cell: ({ connectionCount }) => connectionCount.toLocaleString('en') },
            { name: 'Apps', cell: ({ apps }) => formatNames(apps.map(({ name }) => name)) },
            { name: 'Quota used today', cell: ({ usage }) => <QuotaUsage usage={usage} /> },
            {
              name: 'Secret expires',
              cell: ({ secretExpiresAt }) => (secretExpiresAt ? <Time at={secretExpiresAt} /> : 'unknown'),
            },
          ]}
        />
      )}
      {service.data && (
        <Section
          title="Redirect URIs"
          lead="Enter the URI exactly as shown at the provider, for each of your clients there."
        >
          <DataTable
            caption="Redirect URIs"
            items={service.data.service.redirectUris}
            idOf={({ provider }) => provider}
            empty=""
            columns={[
              { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
              { name: 'Redirect URI', cell: ({ url }) => <CopyableText text={url} name="the redirect URI" /> },
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

const MAX_NAMES_SHOWN = 3;

const formatNames = (names: readonly string[]): string => {
  if (names.length === 0) return 'none';
  const more = names.length - MAX_NAMES_SHOWN;
  return `${names.slice(0, MAX_NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
};

function NewRegistration() {
  const create = useIdempotentMutation(CreateRegistrationDocument);
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
        secretExpiresAt: toStartOfDay(secretExpiresOn),
        idempotencyKey,
      },
    }));
    setProblem(failed);
    if (data) go(`/registrations/${data.createRegistration.id}`);
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label="Provider"
          data={PROVIDERS.map((value) => ({ value, label: formatProvider(value) }))}
          required
          {...form.getInputProps('provider')}
        />
        <TextInput
          label="Label"
          description="Shown only in this console"
          required
          maxLength={200}
          {...form.getInputProps('label')}
        />
        <TextInput label="Client id" required maxLength={200} {...form.getInputProps('clientId')} />
        <PasswordInput
          label="Client secret"
          description="Encrypted at once and never shown again"
          autoComplete="off"
          required
          {...form.getInputProps('clientSecret')}
        />
        <DateInput
          label="Secret expires on"
          description="If the provider set an expiry date"
          value={form.values.secretExpiresOn}
          onChange={(day) => form.setFieldValue('secretExpiresOn', day)}
        />
        {problem && <ProblemAlert problem={problem} />}
        <Group justify="flex-end">
          <Button type="submit" loading={form.submitting}>
            Add registration
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
