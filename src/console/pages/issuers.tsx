import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useAct, useAsk, useMake } from '../ask/hooks.ts';
import {
  CreateIssuerDocument,
  type IssuerFragment,
  IssuersDocument,
  RotateIssuerSecretDocument,
  type TokenAuthMethod,
} from '../generated/operations.ts';
import { DateInput } from '../parts/date-input.tsx';
import { Facts } from '../parts/facts.tsx';
import { Copied } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Nothing } from '../parts/rows.tsx';
import { SecretEntry } from '../parts/secret-entry.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useSession } from '../session.tsx';
import type { Problem } from '../words/problem.ts';
import { hindranceOf } from '../words/roles.ts';
import { startOfDay } from '../words/time.ts';

/** OpenID issuers that apps may sign people in with. */
export function Issuers() {
  const { me } = useSession();
  const { data, problem, again } = useAsk(IssuersDocument, {});
  const hindrance = hindranceOf(me.role, 'createIdentityIssuer');
  return (
    <Page
      title="Sign-in issuers"
      lead="OpenID providers that apps may sign people in with. Which app uses which is set on the app's page."
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {data === undefined && !problem && <Waiting />}
      {data?.identityIssuers.length === 0 && <Nothing>There is none yet.</Nothing>}
      {data?.identityIssuers.map((issuer) => (
        <Issuer key={issuer.id} issuer={issuer} />
      ))}
      {hindrance === undefined ? <NewIssuer /> : <Nothing>{hindrance}</Nothing>}
    </Page>
  );
}

function Issuer({ issuer }: { issuer: IssuerFragment }) {
  const rotate = useAct(RotateIssuerSecretDocument);
  const [expiresOn, setExpiresOn] = useState('');
  return (
    <Section title={issuer.issuer}>
      <Facts
        of={[
          ['Client id', issuer.clientId],
          ['Authenticates', issuer.tokenAuthMethod === 'CLIENT_SECRET_BASIC' ? 'by header' : 'in the body'],
          ['Redirect URI', <Copied key="uri" text={issuer.redirectUri} what="the redirect URI" />],
          ['Secret stored', <Time key="set" at={issuer.secretSetAt} />],
          ['Secret expires', issuer.secretExpiresAt && <Time at={issuer.secretExpiresAt} />],
        ]}
      />
      <SecretEntry
        field="New secret"
        operation="rotateIdentityIssuerSecret"
        label="Replace the secret"
        about={issuer.issuer}
        act={async (clientSecret) =>
          (await rotate({ id: issuer.id, clientSecret, secretExpiresAt: startOfDay(expiresOn) })).problem
        }
        done="Replaced."
      >
        <DateInput label="Expires on" value={expiresOn} onChange={setExpiresOn} />
      </SecretEntry>
    </Section>
  );
}

const METHODS: readonly { value: TokenAuthMethod; label: string }[] = [
  { value: 'CLIENT_SECRET_BASIC', label: 'by header (client_secret_basic)' },
  { value: 'CLIENT_SECRET_POST', label: 'in the body (client_secret_post)' },
];

function NewIssuer() {
  const create = useMake(CreateIssuerDocument);
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
      input: { ...rest, issuer: issuer.trim(), secretExpiresAt: startOfDay(secretExpiresOn), idempotencyKey },
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
            description="Exactly as it writes itself"
            placeholder="https://login.example"
            required
            {...form.getInputProps('issuer')}
          />
          <TextInput label="Client id" required {...form.getInputProps('clientId')} />
          <PasswordInput
            label="Client secret"
            description="Sealed at once; nothing shows it again"
            autoComplete="off"
            required
            {...form.getInputProps('clientSecret')}
          />
          <Select
            label="How our client authenticates"
            data={[...METHODS]}
            allowDeselect={false}
            {...form.getInputProps('tokenAuthMethod')}
          />
          <DateInput
            label="Secret expires on"
            description="If the issuer said so"
            value={form.values.secretExpiresOn}
            onChange={(day) => form.setFieldValue('secretExpiresOn', day)}
          />
          {problem && <ProblemNote problem={problem} />}
          <Group>
            <Button type="submit" loading={form.submitting}>
              Store it
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
