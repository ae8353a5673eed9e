import { Alert, Button, List, NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useParams } from 'wouter';
import { useAct, useAsk } from '../../ask/hooks.ts';
import {
  ChangeAppDocument,
  DisableAppDocument,
  EnableAppDocument,
  OneAppDocument,
  type WholeAppFragment,
} from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { EntryForm } from '../../parts/entry-form.tsx';
import { Copied, To } from '../../parts/links.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { RegistrationState } from '../../parts/registration-state.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useSession } from '../../session.tsx';
import { hindranceOf } from '../../words/roles.ts';
import { Addresses } from './addresses.tsx';
import { Identity } from './identity.tsx';
import { Keys } from './keys.tsx';
import { Policies } from './policies.tsx';
import { Tenants } from './tenants.tsx';

/** Everything about one app. */
export function App() {
  const { id } = useParams<{ id: string }>();
  const { data, problem, again } = useAsk(OneAppDocument, { id });
  const { me } = useSession();
  const app = data?.app;
  return (
    <Page
      title={app?.name ?? 'App'}
      lead={<Copied text={id} what="the app's id" />}
      actions={app && <Switch app={app} />}
    >
      {problem && <ProblemNote problem={problem} onAgain={again} />}
      {app === undefined && !problem && <Waiting />}
      {app && (
        <>
          {app.missing.length > 0 && (
            <Alert color="orange" title="Something is missing before it can connect accounts">
              <List size="sm">
                {app.missing.map((text) => (
                  <List.Item key={text}>{text}</List.Item>
                ))}
              </List>
              {hindranceOf(me.role, 'createApp') === undefined && (
                <Button component={Link} href={`/apps/new?app=${app.id}`} variant="default" size="xs" mt="sm">
                  Go on with the set-up
                </Button>
              )}
            </Alert>
          )}
          <Keys app={app} />
          <Tenants app={app} />
          <Addresses app={app} />
          <Policies app={app} />
          <Section
            title="Registrations"
            lead="Our clients at the providers that serve it; a new attempt takes the first in use."
          >
            <Rows
              caption="Registrations that serve this app"
              items={app.registrations}
              idOf={(registration) => registration.id}
              none={
                <>
                  None serves it. Open one of the{' '}
                  <To inText href="/registrations">
                    registrations
                  </To>{' '}
                  to have it serve this app.
                </>
              }
              columns={[
                {
                  name: 'Registration',
                  cell: (registration) => <To href={`/registrations/${registration.id}`}>{registration.label}</To>,
                },
                { name: 'Provider', cell: ({ provider }) => provider },
                { name: 'State', cell: (registration) => <RegistrationState of={registration} /> },
              ]}
            />
          </Section>
          <Identity app={app} />
          <Change app={app} />
        </>
      )}
    </Page>
  );
}

function Switch({ app: { id, enabled } }: { app: WholeAppFragment }) {
  const [disable, enable] = [useAct(DisableAppDocument), useAct(EnableAppDocument)];
  return (
    <>
      <Button component={Link} href={`/connections?app=${id}`} variant="subtle">
        Its connections
      </Button>
      {enabled ? (
        <ActButton
          operation="disableApp"
          label="Disable…"
          color="red"
          variant="outline"
          confirm={{
            title: 'Disable this app',
            action: 'Disable',
            isDanger: true,
            text: 'Its requests are refused from now on. Its connections stay, and revokes go on.',
          }}
          act={async () => (await disable({ id })).problem}
          done="Disabled."
        />
      ) : (
        <ActButton
          operation="enableApp"
          label="Enable"
          variant="filled"
          act={async () => (await enable({ id })).problem}
          done="Enabled."
        />
      )}
    </>
  );
}

function Change({ app }: { app: WholeAppFragment }) {
  const change = useAct(ChangeAppDocument);
  const form = useForm({
    initialValues: { name: app.name, requestsPerSecond: app.requestsPerSecond },
    validate: { name: (name) => (name.trim() === '' ? 'People read it on our pages.' : null) },
  });
  return (
    <Section title="Name and rate">
      <EntryForm>
        <TextInput label="Name" maxLength={100} {...form.getInputProps('name')} />
        <NumberInput
          label="Requests a second"
          min={1}
          max={100_000}
          clampBehavior="none" // What is out of range is refused, not stored as the nearest number.
          {...form.getInputProps('requestsPerSecond')}
        />
        <ActButton
          type="submit"
          operation="changeApp"
          label="Save"
          act={async () => {
            if (form.validate().hasErrors) return { code: 'BAD_USER_INPUT', message: 'It needs a name.' };
            return (await change({ id: app.id, ...form.values })).problem;
          }}
          done="Saved."
        />
      </EntryForm>
    </Section>
  );
}
