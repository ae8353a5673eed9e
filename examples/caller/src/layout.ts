import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ASSETS } from './assets.ts';
import { type Html, linkButton, message, noticeBar, reference } from './components.ts';
import type { StudioContext } from './context.ts';

interface PageOptions {
  readonly title: string;
  readonly status?: ContentfulStatusCode;
  /** Refreshes the page after this many seconds, while work is running. */
  readonly pollSeconds?: number | false;
}

const home = linkButton('/', 'Go to Demo Studio', 'main');
const signOutForm = (name: string) =>
  html`<form method="post" action="/sign-out" class="who">
    <bdi>${name}</bdi><button type="submit">Sign out</button>
  </form>`;

/** Renders a page and shows a pending notice once. */
export function renderPage(c: StudioContext, { title, status = 200, pollSeconds = false }: PageOptions, body: Html) {
  const { session, me, seen } = c.get('visit');
  const notice = session?.notice;
  // A refresh by the script does not count: the person has not read the notice.
  if (session !== undefined && c.req.header('x-follow') === undefined) session.notice = undefined;
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Demo Studio</title>
    <link rel="icon" href="${ASSETS.icon.url}" type="image/svg+xml" />
    <link rel="stylesheet" href="${ASSETS.pico.url}" />
    <link rel="stylesheet" href="${ASSETS.style.url}" />
    <link rel="stylesheet" href="/marks.css" />
    <script src="${ASSETS.script.url}" defer></script>
    <script src="${ASSETS.connectAccounts.url}" type="module"></script>
    ${pollSeconds && html`<noscript><meta http-equiv="refresh" content="${pollSeconds + 1}"/></noscript>`}
  </head>
  <body${pollSeconds && html` data-follow="${pollSeconds}"`}${seen && html` data-seen="${seen}"`}>
    <a class="skip" href="#main">Skip to content</a>
    <header class="bar">
      <a class="brand" href="/"><img src="${ASSETS.icon.url}" alt="" width="26" height="26" /> Demo Studio</a>
      ${me && signOutForm(me.user.name ?? 'You')}
    </header>
    <main id="main">${notice && noticeBar(notice)}${body}</main>
    <footer>
      <nav class="row" aria-label="Legal">
        <a href="/privacy">Privacy policy</a>
        <a href="/terms">Terms</a>
        <a href="https://www.youtube.com/t/terms">YouTube Terms of Service</a>
        <a href="https://policies.google.com/privacy">Google Privacy Policy</a>
      </nav>
      Demo Studio is an example. It shows how an application connects its users’ accounts and reads them. In the
      API, YouTube is <code>PROVIDER_A</code>, TikTok <code>PROVIDER_B</code> and Instagram <code>PROVIDER_C</code>.
    </footer>
  </body>
</html>`;
  return c.html(page, status);
}

/** Renders a page with a single message. @param id the reference to quote */
export function renderMessage(c: StudioContext, options: PageOptions, text: string | string[], next = home, id = '') {
  const paragraphs = [text].flat().map((one) => html`<p>${one}</p>`);
  return renderPage(c, options, message(options.title, html`${paragraphs}${reference(id)}${next}`));
}
