import { Alert, Button, Code, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useClient } from 'urql';
import { useLocation } from 'wouter';
import { useAct, usePages } from '../ask/hooks.ts';
import {
  ConnectionsDocument,
  EraseSubjectDocument,
  VerifyProofDocument,
  type VerifyProofQuery,
} from '../generated/operations.ts';
import { ActButton } from '../parts/act-button.tsx';
import { AppChoice } from '../parts/app-choice.tsx';
import { shortId } from '../parts/app-name.tsx';
import { State } from '../parts/badges.tsx';
import { To } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedRows } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { count, listed } from '../words/count.ts';
import { inOneLine, problemOf } from '../words/problem.ts';
import { readProof } from '../words/proof.ts';

interface Subject {
  readonly appId: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** What is held of one person, and how to forget it. */
export function People() {
  const [subject, setSubject] = useState<Subject>();
  const form = useForm({
    initialValues: { appId: '', tenantKey: '', externalSubjectId: '' },
    validate: {
      appId: (value) => (value === '' ? 'Whose app?' : null),
      tenantKey: (value) => (value === '' ? "The tenant's key, in the app's own words." : null),
      externalSubjectId: (value) => (value === '' ? "The person's id, in the app's own words." : null),
    },
  });
  return (
    <Page
      title="People"
      lead="A person is known here by their app, the tenant and the app's own id of them. None of these goes into the audit log, or into this page's address."
    >
      <Paper withBorder p="md">
        <form onSubmit={form.onSubmit(setSubject)}>
          <Group align="flex-start">
            <AppChoice
              value={form.values.appId || null}
              onChoose={(id) => form.setFieldValue('appId', id ?? '')}
              required
              placeholder="Choose an app"
            />
            <TextInput label="Tenant" placeholder="as the app calls it" required {...form.getInputProps('tenantKey')} />
            <TextInput
              label="Subject"
              placeholder="the app's id of them"
              required
              {...form.getInputProps('externalSubjectId')}
            />
            <Button type="submit" mt={24}>
              Look up
            </Button>
          </Group>
        </form>
      </Paper>
      {subject && <Held key={JSON.stringify(subject)} subject={subject} />}
      <VerifyProof />
    </Page>
  );
}

function Held({ subject }: { subject: Subject }) {
  const pages = usePages(ConnectionsDocument, { filter: subject, first: 25 }, ({ connections }) => connections);
  const erase = useAct(EraseSubjectDocument);
  const [, go] = useLocation();
  return (
    <Section
      title="What is held"
      actions={
        <ActButton
          operation="eraseSubject"
          label="Erase this person…"
          color="red"
          variant="filled"
          confirm={{
            title: 'Erase this person',
            action: 'Erase for ever',
            isDanger: true,
            text: 'The id is forgotten at once, all connections are disconnected and erased, and tokens kept of failed revokes are destroyed. It cannot be undone.',
            foresee: async () => {
              const { data, problem } = await erase({ input: subject, dryRun: true });
              if (problem) return { problem };
              const { connectionCount, attemptCount, keptTokenCount } = data.eraseSubject;
              return {
                text: `It touches ${listed([
                  count(connectionCount, 'connection'),
                  count(attemptCount, 'unfinished attempt'),
                  count(keptTokenCount, 'kept token'),
                ])}.`,
              };
            },
          }}
          act={async () => {
            const { data, problem } = await erase({ input: subject, dryRun: false });
            const erasure = data?.eraseSubject.erasure;
            if (erasure) go(`/erasures/${erasure.id}`);
            return problem;
          }}
        />
      }
    >
      <PagedRows
        caption="Connections of this person"
        pages={pages}
        idOf={({ id }) => id}
        none="No connection is held of this person. There may still be attempts, and tokens kept of failed revokes: the erase counts them first."
        columns={[
          { name: 'Connection', cell: ({ id }) => <To href={`/connections/${id}`}>{shortId(id)}</To> },
          { name: 'Provider', cell: ({ provider }) => provider },
          { name: 'Status', cell: ({ status }) => <State of={status} /> },
          { name: 'Connected', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}

/** Whether a file that somebody shows us is ours, and unaltered. */
function VerifyProof() {
  const client = useClient();
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<{ color: string; text: string }>();
  async function verify() {
    const proof = readProof(text);
    if (proof === undefined) {
      setVerdict({ color: 'orange', text: 'This is not a proof of deletion: paste the whole file.' });
      return;
    }
    const { data, error } = await client.query<VerifyProofQuery>(VerifyProofDocument.toString(), proof).toPromise();
    if (!data) setVerdict({ color: 'red', text: inOneLine(problemOf(error ?? { graphQLErrors: [] })) });
    else if (data.verifyProofOfDeletion)
      setVerdict({ color: 'teal', text: 'It was made by this service, and not altered.' });
    else setVerdict({ color: 'red', text: 'It was not made by this service, or it was altered, or its key is gone.' });
  }
  return (
    <Section
      title="Check a proof of deletion"
      lead={
        <>
          The content of a file <Code>proof-of-deletion-….json</Code>, as a connection's page gives it.
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
          Check
        </Button>
        <div role="status">
          {verdict && (
            <Alert color={verdict.color}>
              <Text size="sm">{verdict.text}</Text>
            </Alert>
          )}
        </div>
      </Stack>
    </Section>
  );
}
