import type { DeletionRequest } from '../../store/platform-callbacks.ts';
import { type Layout, renderLayout } from '../connect/layout.tsx';

const ABOUT = 'Deletion of your data';
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What has become of a person's request to delete their data. It says nothing of whose data. */
export const renderDeletionPage = (request: (DeletionRequest & { readonly code: string }) | undefined): string =>
  renderLayout({ about: ABOUT, ...(request ? stateOf(request) : UNKNOWN) });

type Content = Omit<Layout, 'about'>;

const UNKNOWN: Content = {
  mood: 'lost',
  heading: 'We do not know this code',
  children: <p>Compare the address with the one the platform gave you: a character may be missing.</p>,
};

function stateOf({ met, requestedAt, code }: DeletionRequest & { readonly code: string }): Content {
  return {
    mood: met ? 'done' : 'wait',
    heading: met ? 'Your data has been deleted' : 'Your data is being deleted',
    children: (
      <>
        <p>We received your request on {DAY.format(requestedAt).replaceAll(' ', '\u00a0')}.</p>
        <p>
          {met
            ? 'What you had connected by then has been deleted. What we keep to show that, and to finish it, goes within seven days.'
            : 'Nobody can read it any more. It will be gone soon: come back to this page to see.'}
        </p>
        <p class="reference">
          Your confirmation code: <code>{code}</code>
        </p>
      </>
    ),
  };
}
