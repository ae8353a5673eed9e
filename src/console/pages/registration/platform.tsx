import { Text } from '@mantine/core';
import type { WholeRegistrationFragment } from '../../generated/operations.ts';
import { Copied } from '../../parts/links.tsx';
import { Section } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';

/** What somebody who sets our client up at the platform has to enter there. */
export function AtThePlatform({ registration }: { registration: WholeRegistrationFragment }) {
  const { provider, redirectUri, callbackUrls, callbackSecrets } = registration;
  return (
    <Section
      title="To be entered at the platform"
      lead="In the set-up of our client there, to the letter: nothing is to be added, not even a slash at the end."
    >
      <Rows
        caption="URLs to be entered at the platform"
        items={[{ enteredAs: 'Redirect URI', url: redirectUri }, ...callbackUrls]}
        idOf={({ url }) => url}
        none=""
        columns={[
          { name: 'Field', cell: ({ enteredAs }) => enteredAs },
          { name: 'URL', cell: ({ enteredAs, url }) => <Copied text={url} what={`the URL for “${enteredAs}”`} /> },
        ]}
      />
      <Text size="sm" c="dimmed">
        {callbackUrls.length === 0
          ? `${provider} never calls us of its own accord.`
          : 'The platform calls these when a person removes our app there, or wants their data deleted.'}
        {callbackUrls.length > 0 &&
          callbackSecrets.length === 0 &&
          ' Until a callback secret is stored below, such calls are refused.'}
      </Text>
    </Section>
  );
}
