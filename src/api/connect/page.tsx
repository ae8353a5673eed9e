import type { CorrelationId } from '../../ids.ts';
import { renderLayout } from './layout.tsx';
import { PAGE_TEXTS, type PageSubject } from './page-texts.ts';
import type { Refusal } from './refused.ts';

export interface PageInput {
  readonly refusal: Refusal;
  readonly flow: 'connect' | 'identity';
  /** The app's name and the target of its button, if known. */
  readonly app: { readonly name: string; readonly backUrl: string } | undefined;
  /** The only id on the page. The person quotes it when they ask for help. */
  readonly correlationId: CorrelationId;
}

const WORDS = {
  connect: { nothing: 'Nothing was connected.', doing: 'connecting an account', headline: 'Connect an account' },
  identity: { nothing: 'You have not been signed in.', doing: 'signing in', headline: 'Sign in' },
} as const;

/** Isolates a name, so that its writing direction does not reorder the sentence around it. */
const isolate = (name: string) => `\u2068${name}\u2069`;

/** Renders the page of a refusal: the cause, the next step, and a link back to the app. */
export function renderPage({ refusal, flow, app, correlationId }: PageInput): string {
  const text = PAGE_TEXTS[refusal];
  const words = WORDS[flow];
  const subject: PageSubject = { app: app ? isolate(app.name) : 'the app you came from', ...words };
  const about = app ? `${words.headline} · ${isolate(app.name)}` : words.headline;
  return renderLayout({
    title: app ? `${text.title} · ${isolate(app.name)}` : text.title,
    mood: text.mood,
    about,
    heading: text.title,
    children: (
      <>
        <p>{text.what(subject)}</p>
        <p>{text.todo(subject)}</p>
        {app && <a href={app.backUrl}>Back to {isolate(app.name)}</a>}
        <p class="reference">
          Need help? Quote this reference: <code>{correlationId}</code>
        </p>
      </>
    ),
  });
}
