import { Badge, Button } from '@mantine/core';
import { Link } from 'wouter';
import { usePages } from '../ask/hooks.ts';
import { AppsDocument } from '../generated/operations.ts';
import { To } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { PagedRows } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.tsx';
import { hindranceOf } from '../words/roles.ts';

export function Apps() {
  const { me } = useSession();
  const pages = usePages(AppsDocument, { first: 25 }, ({ apps }) => apps);
  const hindrance = hindranceOf(me.role, 'createApp');
  return (
    <Page
      title="Apps"
      lead={hindrance ?? 'Customer applications that connect accounts of their users, newest first.'}
      actions={
        hindrance === undefined && (
          <Button component={Link} href="/apps/new">
            Set up an app
          </Button>
        )
      }
    >
      <PagedRows
        caption="Apps"
        pages={pages}
        idOf={({ id }) => id}
        none="No app has been set up yet."
        columns={[
          { name: 'App', cell: ({ id, name }) => <To href={`/apps/${id}`}>{name}</To> },
          {
            name: 'State',
            cell: ({ enabled, missing }) => (
              <Badge color={enabled ? (missing.length === 0 ? 'teal' : 'orange') : 'gray'} variant="light" tt="none">
                {enabled ? (missing.length === 0 ? 'can connect accounts' : 'not complete') : 'disabled'}
              </Badge>
            ),
          },
          { name: 'Missing', cell: ({ missing }) => (missing.length === 0 ? 'nothing' : missing.join(' ')) },
          { name: 'Tenants', cell: ({ tenantCount }) => tenantCount.toLocaleString('en') },
          { name: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
