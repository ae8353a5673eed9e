import type { DeletionRequest } from '../../store/platform-callbacks.ts';
import { type Layout, renderLayout } from '../connect/layout.tsx';

const ABOUT = 'Deletion of your data';
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Renders the state of a person's deletion request. The page does not identify the person. */
export const renderDeletionPage = (request: (DeletionRequest & { readonly code: string }) | undefined): string =>
  renderLayout({ about: ABOUT, ...(request ? stateOf(request) : UNKNOWN) });

type Content = Omit<Layout, 'about'>;

const UNKNOWN: Content = {
  mood: 'lost',
  heading: 'Unknown confirmation code',
  children: <p>Check that the address matches the one the platform gave you.</p>,
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
            ? 'We deleted all data of the accounts that were connected when you made the request. We delete the record of this deletion within seven days.'
            : 'Nobody can read it any more. You can check the progress on this page.'}
        </p>
        <p class="reference">
          Your confirmation code: <code>{code}</code>
        </p>
      </>
    ),
  };
}
