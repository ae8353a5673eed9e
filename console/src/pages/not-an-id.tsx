import { Text } from '@mantine/core';
import { Page } from '../components/page.tsx';

/** For a URL with a typing error in its id. */
export const NotAnId = ({ text }: { text: string }) => (
  <Page title="Not an id">
    <Text>
      “{text}” is not an id: five groups with 32 digits and letters from a to f. Copy it again, or use the search field
      above.
    </Text>
  </Page>
);
