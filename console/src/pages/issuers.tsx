import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SETTINGS_POLL_MS } from '../admin-client/polling.ts';
import { DataTable, EmptyState } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { InternalLink } from '../components/links.tsx';
import { NewIssuer } from '../components/new-issuer.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { TimeCell } from '../components/time.tsx';
import { IssuersDocument } from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import { explainMissingRole } from '../texts/roles.ts';

/** The OpenID Connect issuers that apps may sign people in with. */
export function Issuers() {
  const { me } = useSession();
  const query = useAdminQuery(IssuersDocument, {}, { pollMs: SETTINGS_POLL_MS });
  const [opened, { open, close }] = useDisclosure();
  const [, go] = useLocation();
  const add = explainMissingRole(me.role, 'createIdentityIssuer') === undefined && (
    <Button onClick={open}>New issuer</Button>
  );
  return (
    <Page
      title="Sign-in issuers"
      lead="OpenID Connect issuers that apps may sign people in with. Choose an app's issuer on the page of the app."
      actions={add}
    >
      <QueryState of={query} />
      {query.data && (
        <DataTable
          caption="Sign-in issuers"
          items={query.data.identityIssuers}
          idOf={({ id }) => id}
          empty={
            <EmptyState icon="issuers" action={add}>
              There are no issuers yet. An app can sign people in once its issuer is one.
            </EmptyState>
          }
          columns={[
            {
              name: 'Issuer',
              share: 40,
              cell: ({ id, issuer }) => <InternalLink href={`/issuers/${id}`}>{issuer}</InternalLink>,
            },
            { name: 'Client id', cell: ({ clientId }) => clientId },
            { name: 'Created', isExtra: true, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
            { name: 'Secret stored', cell: ({ secretSetAt }) => <TimeCell at={secretSetAt} /> },
            {
              name: 'Secret expires',
              cell: ({ secretExpiresAt }) => (secretExpiresAt ? <TimeCell at={secretExpiresAt} /> : 'unknown'),
            },
          ]}
        />
      )}
      {opened && (
        <Dialog title="New issuer" onClose={close} size="lg">
          <NewIssuer onCreated={(id) => go(`/issuers/${id}`, { state: { isNew: true } })} />
        </Dialog>
      )}
    </Page>
  );
}
