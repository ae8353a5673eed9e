import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { useAdminMutation, useAdminQuery, useQuestion } from '../admin-client/hooks.ts';
import { SETTINGS_POLL_MS } from '../admin-client/polling.ts';
import { MutationButton } from '../components/action-button.tsx';
import { DateInput } from '../components/date-input.tsx';
import { DetailColumns } from '../components/detail-columns.tsx';
import { DetailsPanel } from '../components/details-list.tsx';
import { CopyableText } from '../components/links.tsx';
import { MoreActions } from '../components/more-actions.tsx';
import { Page, Section } from '../components/page.tsx';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SecretForm } from '../components/secret-form.tsx';
import { Time } from '../components/time.tsx';
import {
  DeleteIdentityIssuerDocument,
  type IdentityIssuerDetailsFragment,
  IssuersDocument,
  IssuerTestDocument,
  RotateIdentityIssuerSecretDocument,
} from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import type { Problem } from '../texts/problem.ts';
import { explainMissingRole } from '../texts/roles.ts';
import { toStartOfDay } from '../texts/time.ts';
import { NotFound } from './not-found.tsx';

/** An OpenID Connect issuer, and our client there. */
export function Issuer() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(IssuersDocument, {}, { pollMs: SETTINGS_POLL_MS });
  const issuer = query.data?.identityIssuers.find((one) => one.id === id);
  const [test, setTest] = useState<Test>();
  if (query.data !== undefined && issuer === undefined) return <NotFound />;
  return (
    <Page
      title={issuer?.issuer ?? 'Sign-in issuer'}
      lead={<CopyableText text={id} name="the issuer's id" />}
      actions={issuer && <Actions issuer={issuer} onTested={setTest} />}
    >
      <QueryState of={query} />
      {issuer && (
        <DetailColumns details={<Details of={issuer} />}>
          <div role="status">{test && <TestResult of={test} />}</div>
          <Section
            title="Redirect URI"
            lead="The URL that the issuer sends browsers back to. Register it there exactly."
          >
            <CopyableText text={issuer.redirectUri} name="the redirect URI" />
          </Section>
          <Secret issuer={issuer} />
        </DetailColumns>
      )}
    </Page>
  );
}

const Details = ({ of: issuer }: { of: IdentityIssuerDetailsFragment }) => (
  <DetailsPanel
    of={[
      ['Client id', issuer.clientId],
      ['Authentication', issuer.tokenAuthMethod === 'CLIENT_SECRET_BASIC' ? 'in the header' : 'in the body'],
      ['Created', <Time key="made" at={issuer.createdAt} />],
      ['Secret stored', <Time key="set" at={issuer.secretSetAt} />],
      ['Secret expires', issuer.secretExpiresAt && <Time at={issuer.secretExpiresAt} />],
    ]}
  />
);

/** The result of a test: a fault of the issuer, or a failed request of ours. */
interface Test {
  readonly fault: string | null | undefined;
  readonly problem: Problem | undefined;
}

function TestResult({ of: { fault, problem } }: { of: Test }) {
  if (problem !== undefined) return <ProblemAlert problem={problem} />;
  return fault === null ? (
    <Alert color="teal" p="xs">
      It answers, with signing keys. A sign-in also tries our client and its secret.
    </Alert>
  ) : (
    <Alert color="red" p="xs" title="No one can sign in">
      {fault}
    </Alert>
  );
}

interface ActionsProps {
  readonly issuer: IdentityIssuerDetailsFragment;
  readonly onTested: (test: Test) => void;
}

function Actions({ issuer: { id, issuer }, onTested }: ActionsProps) {
  const { me } = useSession();
  const ask = useQuestion(IssuerTestDocument);
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const isNew = useHistoryState<{ isNew?: true } | null>()?.isNew ?? false;
  // A mistyped issuer shows at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => void (isNew && test()), [isNew]);
  /** Tests the issuer as a sign-in would, before a person does. */
  async function test() {
    setBusy(true);
    const { data, problem } = await ask({ id });
    setBusy(false);
    onTested({ fault: data?.identityIssuerTest.problem, problem });
  }
  return (
    <>
      {explainMissingRole(me.role, 'identityIssuerTest') === undefined && (
        <Button loading={busy} onClick={test}>
          Test this issuer
        </Button>
      )}
      <MoreActions>
        <MutationButton
          mutation={DeleteIdentityIssuerDocument}
          label="Delete…"
          color="red"
          variant="outline"
          confirm={{
            title: `Delete ${issuer}`,
            action: 'Delete',
            isDanger: true,
            text: 'For an issuer that was stored by mistake, and that no app uses. The service destroys its secret. Our client there stays: remove it there.',
          }}
          variables={{ id }}
          onDone={() => go('/issuers')}
          successMessage={`${issuer} is deleted.`}
        />
      </MoreActions>
    </>
  );
}

function Secret({ issuer: { id } }: { issuer: IdentityIssuerDetailsFragment }) {
  const rotate = useAdminMutation(RotateIdentityIssuerSecretDocument);
  const [expiresOn, setExpiresOn] = useState('');
  return (
    <Section title="Client secret" lead="The service encrypts it at once. The console never shows it.">
      <SecretForm
        field="New secret"
        operation="rotateIdentityIssuerSecret"
        label="Replace secret"
        submit={async (clientSecret) =>
          (await rotate({ id, clientSecret, secretExpiresAt: toStartOfDay(expiresOn) })).problem
        }
        successMessage="Secret replaced."
      >
        <DateInput label="Expires on" value={expiresOn} onChange={setExpiresOn} />
      </SecretForm>
    </Section>
  );
}
