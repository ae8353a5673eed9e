import { Alert, Button, Code, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { useAdminQuery, usePaginatedQuery, useQuestion } from '../admin-client/hooks.ts';
import { DryRunButton } from '../components/action-button.tsx';
import { AppSelect } from '../components/app-select.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { ExportSubjectButton } from '../components/export-subject-button.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page, Section } from '../components/page.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { Time } from '../components/time.tsx';
import {
  AppNameDocument,
  ConnectionsDocument,
  EraseSubjectDocument,
  VerifyProofOfDeletionDocument,
} from '../generated/operations.ts';
import { formatCount, formatList, shortenId } from '../texts/format.ts';
import { formatProblem } from '../texts/problem.ts';
import { parseProof } from '../texts/proof-of-deletion.ts';

interface Subject {
  readonly appId: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** Shows the data stored about one person, exports it, and erases it. */
export function People() {
  const [subject, setSubject] = useState<Subject>();
  const form = useForm({
    initialValues: { appId: '', tenantKey: '', externalSubjectId: '' },
    validate: {
      appId: (value) => (value === '' ? 'Choose an app.' : null),
      tenantKey: (value) => (value === '' ? "Enter the tenant's key as the app uses it." : null),
      externalSubjectId: (value) => (value === '' ? "Enter the person's id as the app uses it." : null),
    },
  });
  return (
    <Page
      title="People"
      lead="Find a person by app, tenant and the app's id of the person. The tenant and the id appear neither in the audit log nor in this page's URL."
    >
      <Paper withBorder p="md">
        <form onSubmit={form.onSubmit(setSubject)}>
          <Group align="flex-start">
            <AppSelect
              value={form.values.appId || null}
              onChange={(id) => form.setFieldValue('appId', id ?? '')}
              required
              placeholder="Choose an app"
            />
            <TextInput label="Tenant" placeholder="key used by the app" required {...form.getInputProps('tenantKey')} />
            <TextInput
              label="Subject"
              placeholder="the person's id"
              required
              {...form.getInputProps('externalSubjectId')}
            />
            <Button type="submit" mt={24}>
              Look up
            </Button>
          </Group>
        </form>
      </Paper>
      {subject && <StoredData key={JSON.stringify(subject)} subject={subject} />}
      <VerifyProof />
    </Page>
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
      title="Stored data"
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
              title: `Erase ${subject.externalSubjectId}`,
              action: 'Erase permanently',
              isDanger: true,
              typedName: subject.externalSubjectId,
              text: <EraseText subject={subject} />,
            }}
            describe={({ eraseSubject: { connectionCount, attemptCount, keptTokenCount } }) => ({
              text: `This affects ${formatList([
                formatCount(connectionCount, 'connection'),
                formatCount(attemptCount, 'unfinished attempt'),
                formatCount(keptTokenCount, 'kept token'),
              ])}.`,
            })}
            onDone={({ eraseSubject: { erasure } }) => erasure && go(`/erasures/${erasure.id}`)}
          />
        </>
      }
    >
      <PaginatedTable
        caption="Connections of this person"
        pages={pages}
        idOf={({ id }) => id}
        empty="There are no connections of this person. There may be attempts and tokens kept for failed revokes; the erase dialog counts them."
        columns={[
          {
            name: 'Connection',
            cell: ({ id }) => <InternalLink href={`/connections/${id}`}>{shortenId(id)}</InternalLink>,
          },
          { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
          { name: 'Status', cell: ({ status }) => <StatusBadge of={status} /> },
          { name: 'Connected', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}

/** Says whose data goes, and where it is. */
function EraseText({ subject: { appId, tenantKey, externalSubjectId } }: { subject: Subject }) {
  const app = useAdminQuery(AppNameDocument, { id: appId });
  return (
    <Stack gap="xs">
      <Text>
        The person <Code>{externalSubjectId}</Code> in the tenant <Code>{tenantKey}</Code> of{' '}
        <strong>{app.data?.app.name ?? 'the app'}</strong>, and nobody else: the same id in another tenant or app stays.
      </Text>
      <Text>
        The id is erased at once, all connections are disconnected and erased, and tokens kept for failed revokes are
        discarded. This cannot be undone.
      </Text>
    </Stack>
  );
}

/** Verifies that this service created a proof of deletion and that nobody altered it. */
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
    const { data, problem } = await ask(proof);
    if (problem) setResult({ color: 'red', text: formatProblem(problem) });
    else if (data.verifyProofOfDeletion)
      setResult({ color: 'teal', text: 'Valid. This service created the proof, and it is unaltered.' });
    else
      setResult({
        color: 'red',
        text: 'Not valid. Another service created the proof, it was altered, or its key was deleted.',
      });
  }
  return (
    <Section
      title="Verify a proof of deletion"
      lead={
        <>
          Paste the content of a <Code>proof-of-deletion-….json</Code> file that was downloaded from a connection's
          page.
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
