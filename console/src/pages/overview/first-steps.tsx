import { List } from '@mantine/core';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';

/** Stands where the counts would all be 0. */
export const FirstSteps = () => (
  <Section title="First steps" lead="No account is connected yet.">
    <List type="ordered" spacing={4}>
      <List.Item>
        <InternalLink isInline href="/registrations">
          Add a registration
        </InternalLink>{' '}
        for each platform: the OAuth client that you created there. Test it on its page.
      </List.Item>
      <List.Item>
        <InternalLink isInline href="/apps/new">
          Set up an app
        </InternalLink>{' '}
        with its return URL, its registrations and its key.
      </List.Item>
      <List.Item>
        The app starts a connect with its key. Each try of a person is an{' '}
        <InternalLink isInline href="/attempts">
          attempt
        </InternalLink>
        , which says why it failed.
      </List.Item>
    </List>
  </Section>
);
