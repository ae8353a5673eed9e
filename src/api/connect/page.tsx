import { raw } from 'hono/html';
import type { CorrelationId } from '../../ids.ts';
import { PAGE_STYLE } from './page-style.ts';
import { PAGE_TEXTS, type PageText, type Subject } from './page-texts.ts';
import type { Refusal } from './refused.ts';

export interface PageInput {
  readonly refusal: Refusal;
  readonly flow: 'connect' | 'identity';
  /** Where known, the app's name and where its button leads. */
  readonly app: { readonly name: string; readonly backUrl: string } | undefined;
  /** The one id a person is shown, to name when asking for help. */
  readonly correlationId: CorrelationId;
}

const WORDS = {
  connect: { nothing: 'Nothing was connected.', doing: 'connecting an account', headline: 'Connect an account' },
  identity: { nothing: 'You have not been signed in.', doing: 'signing in', headline: 'Sign in' },
} as const;

/** Keeps a name of another writing direction from turning the sentence around it. */
const isolate = (name: string) => `\u2068${name}\u2069`;

/** A page for a person who cannot go on: what happened, what to do, and the way back. */
export function renderPage({ refusal, flow, app, correlationId }: PageInput): string {
  const text = PAGE_TEXTS[refusal];
  const words = WORDS[flow];
  const subject: Subject = { app: app ? isolate(app.name) : 'the app you came from', ...words };
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{app ? `${text.title} · ${isolate(app.name)}` : text.title}</title>
        <style>{raw(PAGE_STYLE)}</style>
      </head>
      <body>
        <main>
          <Picture mood={text.mood} />
          <p class="app">{app ? `${words.headline} · ${isolate(app.name)}` : words.headline}</p>
          <h1>{text.title}</h1>
          <p>{text.what(subject)}</p>
          <p>{text.todo(subject)}</p>
          {app && <a href={app.backUrl}>Back to {isolate(app.name)}</a>}
          <p class="reference">
            Need help? Name this reference: <code>{correlationId}</code>
          </p>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

const PICTURES: Readonly<Record<PageText['mood'], string>> = {
  stop: 'M12 3l7 3v5c0 4.6-2.9 8.3-7 10-4.1-1.7-7-5.4-7-10V6l7-3zM12 8.5v4M12 15.8v.01',
  wait: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3 2',
  lost: 'M10 14a4 4 0 0 0 6 .4l2.6-2.6a4 4 0 0 0-5.7-5.7l-.9.9M14 10a4 4 0 0 0-6-.4l-2.6 2.6a4 4 0 0 0 5.7 5.7l.9-.9',
};

const Picture = ({ mood }: { mood: PageText['mood'] }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={PICTURES[mood]} />
  </svg>
);
