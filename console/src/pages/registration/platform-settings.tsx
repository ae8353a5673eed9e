import { Text } from '@mantine/core';
import { PLATFORM_NAMES } from '../../../../src/basics/codes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { CopyableText } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import type { RegistrationDetailsFragment } from '../../generated/operations.ts';

/** The URLs to enter in the settings of our client at the platform. */
export function PlatformSettings({ registration }: { registration: RegistrationDetailsFragment }) {
  const { provider, redirectUri, callbackUrls, callbackSecrets } = registration;
  return (
    <Section
      title="Platform settings"
      lead="Enter these URLs exactly as shown in the settings of our client at the platform, without a trailing slash."
    >
      <DataTable
        caption="URLs to enter at the platform"
        items={[{ enteredAs: 'Redirect URI', url: redirectUri }, ...callbackUrls]}
        idOf={({ url }) => url}
        empty=""
        columns={[
          { name: 'Field', share: 26, wraps: true, cell: ({ enteredAs }) => enteredAs },
          {
            name: 'URL',
            share: 74,
            wraps: true,
            cell: ({ enteredAs, url }) => <CopyableText text={url} name={`the URL for “${enteredAs}”`} />,
          },
        ]}
      />
      <Text size="sm" c="dimmed">
        {callbackUrls.length === 0
          ? `${PLATFORM_NAMES[provider]} sends no callbacks.`
          : 'The platform calls these URLs when a person removes our app there or requests the deletion of their data.'}
        {callbackUrls.length > 0 &&
          callbackSecrets.length === 0 &&
          ' The service refuses these calls until you store a callback secret below.'}
      </Text>
    </Section>
  );
}
