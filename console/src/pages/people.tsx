import { Alert, Button, Code, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { PLATFORM_NAMES } from '../../../src/basics/codes.ts';
import { formatAccount } from '../../../src/basics/format-account.ts';
import { useAdminQuery, usePaginatedQuery, useQuestion } from '../admin-client/hooks.ts';
import { dropPages, useGoWithin, usePageState } from '../admin-client/page-state.ts';
import { DryRunButton } from '../components/action-button.tsx';
import { AppSelect } from '../components/app-select.tsx';
import { ATTEMPT_COLUMNS } from '../components/attempt-table.tsx';
import { DataTable, PaginatedTable } from '../components/data-table.tsx';
import { ExportSubjectButton } from '../components/export-subject-button.tsx';
import { InternalLink } from '../components/links.tsx';
import { AccountCell } from '../components/names.tsx';
import { Page, Section } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { ProofOfDeletionButton, ProofsOfDeletionButton } from '../components/proof-of-deletion-button.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ShortId } from '../components/short-id.tsx';
import { StateDot } from '../components/status-badge.tsx';
import { TenantInput } from '../components/tenant-input.tsx';
import { Time, TimeCell } from '../components/time.tsx';
import {
  AppNameDocument,
  AttemptDocument,
  AttemptsDocument,
  BOUNDS,
  type ConnectionDetailsFragment,
  ConnectionDocument,
  ConnectionsDocument,
  EraseSubjectDocument,
  PersonDocument,
  type PersonQuery,
  VerifyProofOfDeletionDocument,
} from '../generated/operations.ts';
import { formatCount, formatList } from '../texts/format.ts';
import { formatProblem } from '../texts/problem.ts';
import { describeVerdict, parseProof } from '../texts/proof-of-deletion.ts';
import { getConnectionState } from '../texts/states.ts';

/** An operator types so much of an id to confirm. */
const LONGEST_TYPED = 8;

interface Subject {
  readonly appId: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** Shows the data stored about one person, exports it, and erases it. */
export function People() {
  const { texts = {} } = usePageState();
  const goWithin = useGoWithin();
  const linked = useLinkedPerson(texts.subject === undefined);
  // Kept with the entry of the browser's history: a search fills it in, and Back and a reload find it again.
  const [app, tenant, asked] = [
    texts.app ?? linked.person?.appId ?? '',
    texts.tenant ?? linked.person?.tenantKey ?? '',
    texts.subject ?? linked.person?.externalSubjectId ?? '',
  ];
  const subject = asked === '' ? undefined : { appId: app, tenantKey: tenant, externalSubjectId: asked };
  const form = useForm({
    initialValues: { appId: app, tenantKey: tenant, externalSubjectId: asked },
    validate: {
      appId: (value) => (value === '' ? 'Choose an app.' : null),
      tenantKey: (value) => (value === '' ? "Enter the tenant's key as the app uses it." : null),
      externalSubjectId: (value) => (value === '' ? "Enter the person's id as the app uses it." : null),
    },
  });
  const { setValues } = form;
  // A search in the head of the page can name another person while this page is open.
  useEffect(
    () => setValues({ appId: app, tenantKey: tenant, externalSubjectId: asked }),
    [app, tenant, asked, setValues],
  );
  function lookUp({ appId, tenantKey, externalSubjectId }: Subject) {
    form.setValues({ appId, tenantKey, externalSubjectId });
    goWithin(dropLink, {
      state: { texts: { app: appId, tenant: tenantKey, subject: externalSubjectId }, trails: {} },
      replace: false,
    });
  }
  return (
    <Page title="People" lead="What you enter here appears neither in the audit log nor in this page's URL.">
      {linked.query && <QueryState of={linked.query} />}
      {linked.query?.data && !linked.person && (
        <Text>This connection was erased, and with it whose it was. Its page has the receipts.</Text>
      )}
      {subject === undefined && (
        <>
          <FindAnyone />
          <Text size="sm" c="dimmed">
            Or look up exactly one person. Only this shows whether the service holds data of them.
          </Text>
        </>
      )}
      <Paper withBorder p="md">
        <form onSubmit={form.onSubmit(lookUp)}>
          <Group align="flex-start">
            <AppSelect
              value={form.values.appId || null}
              onChange={(id) => form.setFieldValue('appId', id ?? '')}
              required
              placeholder="Choose an app"
            />
            <TenantInput appId={form.values.appId} {...form.getInputProps('tenantKey')} />
            <TextInput
              label="Subject"
              placeholder="the person's id"
              required
              maxLength={BOUNDS['PersonInput.externalSubjectId'].max}
              w={{ base: '100%', sm: 330 }}
              {...form.getInputProps('externalSubjectId')}
            />
            <Button type="submit" mt={24}>
              Look up
            </Button>
          </Group>
        </form>
      </Paper>
      {subject && <KnownPerson key={JSON.stringify(subject)} subject={subject} onLookUp={lookUp} />}
      <VerifyProof />
    </Page>
  );
}

/** A link that was opened in a new tab names a connection or an attempt: its person. @param isAsked whether no one else is shown. */
function useLinkedPerson(isAsked: boolean) {
  const [params] = useSearchParams();
  const [connection, attempt] = [params.get('connection'), params.get('attempt')];
  const byConnection = useAdminQuery(
    ConnectionDocument,
    { id: connection ?? '', showNames: false },
    { pause: !isAsked || connection === null },
  );
  const byAttempt = useAdminQuery(AttemptDocument, { id: attempt ?? '' }, { pause: !isAsked || attempt === null });
  if (!isAsked) return {};
  if (connection !== null) return { query: byConnection, person: byConnection.data?.connection.connection };
  return attempt === null ? {} : { query: byAttempt, person: byAttempt.data?.attempt };
}

function dropLink(params: URLSearchParams): void {
  dropPages(params);
  for (const name of ['connection', 'attempt']) params.delete(name);
}

/** For an operator who has no more than a handle. */
function FindAnyone() {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const wanted = text.trim();
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== '') go('/find', { state: { texts: { find: wanted } } });
        }}
      >
        <Group align="flex-end">
          <TextInput
            label="Who"
            placeholder="Subject, handle, name or profile URL"
            maxLength={BOUNDS['find.text'].max}
            w={{ base: '100%', sm: 400 }}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit">Find</Button>
        </Group>
      </form>
    </Paper>
  );
}

/** Describes the person. "Nothing found" must never read as "nothing stored", because a word may be mistyped. */
function KnownPerson({ subject, onLookUp }: { subject: Subject; onLookUp: (subject: Subject) => void }) {
  const query = useAdminQuery(PersonDocument, { input: subject });
  const person = query.data?.person;
  const { tenantKey, externalSubjectId } = subject;
  const trimmed = externalSubjectId.trim();
  if (person === undefined) return <QueryState of={query} />;
  return (
    <>
      <QueryState of={query} />
      {!person.isTenant && (
        <Alert color="orange" role="alert" title="This tenant does not exist">
          The app has no tenant “{tenantKey}”. Check its spelling and capital letters: this proves nothing about the
          person{person.isHeld ? ', but data of a former tenant of this name is stored.' : '.'}
        </Alert>
      )}
      {person.isTenant && !person.isHeld && (
        <Alert color="orange" role="alert" title="Nothing is stored under this subject">
          The tenant “{tenantKey}” exists, and nothing is stored in it under “{externalSubjectId}”. The subject must be
          exactly as the app sends it.
          {externalSubjectId !== trimmed && (
            <Button
              mt="xs"
              size="xs"
              variant="default"
              display="block"
              onClick={() => onLookUp({ ...subject, externalSubjectId: trimmed })}
            >
              Look up without the space around it
            </Button>
          )}
        </Alert>
      )}
      {person.otherTenants.length > 0 && (
        <Group gap="xs">
          <Text size="sm">The same subject is stored in another tenant:</Text>
          {person.otherTenants.map((other) => (
            <Button key={other} size="xs" variant="default" onClick={() => onLookUp({ ...subject, tenantKey: other })}>
              {other}
            </Button>
          ))}
        </Group>
      )}
      {person.erasureId !== null && person.erasureRequestedAt !== null && (
        <Text size="sm">
          This person was erased, as requested on <Time at={person.erasureRequestedAt} />:{' '}
          <InternalLink isInline href={`/erasures/${person.erasureId}`}>
            see the receipt
          </InternalLink>
          .
        </Text>
      )}
      {person.isHeld && <StoredData subject={subject} />}
      {person.disconnected.length > 0 && <Disconnected of={person.disconnected} />}
    </>
  );
}

function StoredData({ subject }: { subject: Subject }) {
  const pages = usePaginatedQuery(
    ConnectionsDocument,
    { filter: subject, first: 25 },
    ({ connections }) => connections,
  );
  const [, go] = useLocation();
  return (
    <Section
      title={`Stored data of ${subject.externalSubjectId}`}
      lead={`In the tenant “${subject.tenantKey}”.`}
      actions={
        <>
          <ExportSubjectButton subject={subject} />
          <DryRunButton
            mutation={EraseSubjectDocument}
            variables={{ input: subject }}
            label="Erase this person…"
            color="red"
            variant="filled"
            confirm={{
              title: 'Erase this person',
              action: 'Erase permanently',
              isDanger: true,
              typedName: subject.externalSubjectId.slice(0, LONGEST_TYPED),
              wholeName: subject.externalSubjectId,
              text: <EraseText subject={subject} accounts={pages.items ?? []} />,
            }}
            describe={({ eraseSubject: { connectionCount, attemptCount, keptTokenCount, unsentRevokes } }) => {
              const counts = formatList([
                formatCount(connectionCount, 'connection'),
                formatCount(attemptCount, 'unfinished attempt'),
                formatCount(keptTokenCount, 'kept token'),
              ]);
              return { text: [`This affects ${counts}.`, ...(unsentRevokes ?? [])].join(' ') };
            }}
            onDone={({ eraseSubject: { erasure } }) => erasure && go(`/erasures/${erasure.id}`)}
          />
        </>
      }
    >
      <PaginatedTable
        caption="Connections of this person"
        pages={pages}
        idOf={({ id }) => id}
        empty="There are no connections of this person. There may be tokens kept for failed revokes; the erase dialog counts them."
        columns={[
          {
            name: 'Account',
            share: 30,
            cell: (connection) => (
              <InternalLink href={`/connections/${connection.id}`}>
                <AccountCell of={connection} />
              </InternalLink>
            ),
          },
          { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
          { name: 'Status', cell: (connection) => <StateDot state={getConnectionState(connection)} /> },
          { name: 'Connected', cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
          { name: 'Connection', cell: ({ id }) => <ShortId id={id} of="connection" href={`/connections/${id}`} /> },
        ]}
      />
      <Attempts subject={subject} />
    </Section>
  );
}

/** What is left of a disconnected connection: its receipts, for 7 days. */
const Disconnected = ({ of: disconnected }: { of: PersonQuery['person']['disconnected'] }) => (
  <Section
    title="Disconnected in the last 7 days"
    actions={
      <ProofsOfDeletionButton
        connectionIds={disconnected.flatMap(({ connectionId, erasedAt }) => (erasedAt === null ? [] : connectionId))}
      />
    }
  >
    <DataTable
      caption="Disconnected connections of this person"
      items={disconnected}
      idOf={({ connectionId }) => connectionId}
      empty=""
      columns={[
        {
          name: 'Connection',
          cell: ({ connectionId }) => (
            <ShortId id={connectionId} of="connection" href={`/connections/${connectionId}`} />
          ),
        },
        { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
        { name: 'Disconnected', cell: ({ requestedAt }) => <TimeCell at={requestedAt} /> },
        { name: 'Erased', cell: ({ erasedAt }) => (erasedAt === null ? 'not yet' : <TimeCell at={erasedAt} />) },
        {
          name: '',
          cell: ({ connectionId, erasedAt }) => (
            <ProofOfDeletionButton connectionId={connectionId} isErased={erasedAt !== null} />
          ),
        },
      ]}
    />
  </Section>
);

/** A person who cannot connect has attempts, and may have nothing else. */
function Attempts({ subject }: { subject: Subject }) {
  const pages = usePaginatedQuery(AttemptsDocument, { filter: subject, first: 25 }, ({ attempts }) => attempts);
  return (
    <PaginatedTable
      caption="Attempts of this person"
      pages={pages}
      idOf={({ id }) => id}
      empty="This person has not tried to connect an account in the last day."
      columns={ATTEMPT_COLUMNS}
    />
  );
}

/** Describes whose data will be erased, and where it is. */
function EraseText({
  subject: { appId, tenantKey, externalSubjectId },
  accounts,
}: {
  subject: Subject;
  accounts: readonly ConnectionDetailsFragment[];
}) {
  const app = useAdminQuery(AppNameDocument, { id: appId });
  return (
    <Stack gap="xs">
      <Text>
        The person <Code>{externalSubjectId}</Code> in the tenant <Code>{tenantKey}</Code> of{' '}
        <strong>{app.data?.app.name ?? 'the app'}</strong>, and no one else: the same id in another tenant or app stays.
      </Text>
      {accounts.length > 0 && (
        <Text>
          Accounts:{' '}
          {formatList(accounts.map((account) => `${formatAccount(account)} at ${PLATFORM_NAMES[account.provider]}`))}.
        </Text>
      )}
      <Text>
        The id is erased at once, all connections are disconnected and erased, and tokens kept for failed revokes are
        discarded. This cannot be undone.
      </Text>
    </Stack>
  );
}

/** Verifies that this service created a proof of deletion and that it is unaltered. */
function VerifyProof() {
  const ask = useQuestion(VerifyProofOfDeletionDocument);
  const [text, setText] = useState('');
  const [result, setResult] = useState<{ color: string; text: string }>();
  async function verify() {
    const proof = parseProof(text);
    if (proof === undefined) {
      setResult({ color: 'orange', text: 'This is not a proof of deletion. Paste the whole file.' });
      return;
    }
    const { document, signature } = proof;
    const { data, problem } = await ask({ document, signature });
    if (problem) setResult({ color: 'red', text: formatProblem(problem) });
    else setResult(describeVerdict(proof, data.verifyProofOfDeletion));
  }
  return (
    <Section
      title="Verify a proof of deletion"
      lead={
        <>
          Paste the content of a <Code>proof-of-deletion-….json</Code> or <Code>certificate-of-deletion-….json</Code>{' '}
          file that was downloaded from the page of a connection or registration.
        </>
      }
    >
      <Stack align="flex-start">
        <Textarea
          label="Proof"
          autosize
          minRows={3}
          maxRows={10}
          w="100%"
          maw={720}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button variant="default" onClick={verify}>
          Verify
        </Button>
        <div role="status">
          {result && (
            <Alert color={result.color}>
              <Text size="sm">{result.text}</Text>
            </Alert>
          )}
        </div>
      </Stack>
    </Section>
  );
}
