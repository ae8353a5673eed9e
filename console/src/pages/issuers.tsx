import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useAdminMutation, useAdminQuery, useIdempotentMutation } from '../admin-client/hooks.ts';
import { EmptyState } from '../components/data-table.tsx';
import { DateInput } from '../components/date-input.tsx';
import { DetailsList } from '../components/details-list.tsx';
import { CopyableText } from '../components/links.tsx';
import { Page, Section } from '../components/page.tsx';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SecretForm } from '../components/secret-form.tsx';
import { Time } from '../components/time.tsx';
import {
  CreateIssuerDocument,
  type IssuerDetailsFragment,
  IssuersDocument,
  RotateIssuerSecretDocument,
  type TokenAuthMethod,
} from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import type { Problem } from '../texts/problem.ts';
import { explainMissingRole } from '../texts/roles.ts';
import { toStartOfDay } from '../texts/time.ts';

/** The OpenID Connect issuers that apps may sign people in with. */
export function Issuers() {
  const { me } = useSession();
  const query = useAdminQuery(IssuersDocument, {});
  const missingRole = explainMissingRole(me.role, 'createIdentityIssuer');
  return (
    <Page
      title="Sign-in issuers"
      lead="OpenID Connect issuers that apps may sign people in with. Choose an app's issuer on the page of the app."
    >
      <QueryState of={query} />
      {query.data?.identityIssuers.length === 0 && <EmptyState>There are no issuers yet.</EmptyState>}
      {query.data?.identityIssuers.map((issuer) => (
        <Issuer key={issuer.id} issuer={issuer} />
      ))}
      {missingRole === undefined ? <NewIssuer /> : <EmptyState>{missingRole}</EmptyState>}
    </Page>
  );
}

function Issuer({ issuer }: { issuer: IssuerDetailsFragment }) {
  const rotate = useAdminMutation(RotateIssuerSecretDocument);
  const [expiresOn, setExpiresOn] = useState('');
  return (
    <Section title={issuer.issuer}>
      <DetailsList
        of={[
          ['Client id', issuer.clientId],
          ['Client authentication', issuer.tokenAuthMethod === 'CLIENT_SECRET_BASIC' ? 'header' : 'body'],
          ['Redirect URI', <CopyableText key="uri" text={issuer.redirectUri} name="the redirect URI" />],
          ['Secret stored', <Time key="set" at={issuer.secretSetAt} />],
          ['Secret expires', issuer.secretExpiresAt && <Time at={issuer.secretExpiresAt} />],
        ]}
      />
      <SecretForm
        field="New secret"
        operation="rotateIdentityIssuerSecret"
        label="Replace secret"
        target={issuer.issuer}
        submit={async (clientSecret) =>
          (await rotate({ id: issuer.id, clientSecret, secretExpiresAt: toStartOfDay(expiresOn) })).problem
        }
        successMessage="Secret replaced."
      >
        <DateInput label="Expires on" value={expiresOn} onChange={setExpiresOn} />
      </SecretForm>
    </Section>
  );
}

const METHODS: readonly { value: TokenAuthMethod; label: string }[] = [
  { value: 'CLIENT_SECRET_BASIC', label: 'header (client_secret_basic)' },
  { value: 'CLIENT_SECRET_POST', label: 'body (client_secret_post)' },
];

function NewIssuer() {
  const create = useIdempotentMutation(CreateIssuerDocument);
  const [problem, setProblem] = useState<Problem>();
  const form = useForm({
    initialValues: {
      issuer: '',
      clientId: '',
      clientSecret: '',
      tokenAuthMethod: 'CLIENT_SECRET_BASIC' as TokenAuthMethod,
      secretExpiresOn: '',
    },
  });
  const submit = form.onSubmit(async ({ issuer, secretExpiresOn, ...rest }) => {
    const { problem: failed } = await create((idempotencyKey) => ({
      input: { ...rest, issuer: issuer.trim(), secretExpiresAt: toStartOfDay(secretExpiresOn), idempotencyKey },
    }));
    setProblem(failed);
    if (!failed) form.reset();
  });
  return (
    <Section title="New issuer">
      <form onSubmit={submit}>
        <Stack maw={520}>
          <TextInput
            label="Issuer"
            description="Exactly as the issuer writes its URL"
            placeholder="https://login.example"
            required
            {...form.getInputProps('issuer')}
          />
          <TextInput label="Client id" required {...form.getInputProps('clientId')} />
          <PasswordInput
            label="Client secret"
            description="Encrypted at once and never shown again"
            autoComplete="off"
            required
            {...form.getInputProps('clientSecret')}
          />
          <Select
            label="Client authentication"
            data={[...METHODS]}
            allowDeselect={false}
            {...form.getInputProps('tokenAuthMethod')}
          />
          <DateInput
            label="Secret expires on"
            description="If the issuer set an expiry date"
            value={form.values.secretExpiresOn}
            onChange={(day) => form.setFieldValue('secretExpiresOn', day)}
          />
          {problem && <ProblemAlert problem={problem} />}
          <Group>
            <Button type="submit" loading={form.submitting}>
              Add issuer
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
