import { raw } from 'hono/html';
import type { Child, FC } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ASSETS } from '../assets.ts';
import type { StudioContext } from '../context.ts';
import type { Notice } from '../sessions.ts';
import { CurrentUrl, NoticeBar } from './components.tsx';

export interface PageOptions {
  readonly title: string;
  readonly status?: ContentfulStatusCode;
  /** Refreshes the page after this many seconds, while work is running. */
  readonly pollSeconds?: number | undefined;
}

/** Renders a page and shows a pending notice once. */
export function renderPage(c: StudioContext, { title, status = 200, pollSeconds }: PageOptions, body: Child) {
  const { session, user, seen } = c.get('visit');
  const notice = session?.notice;
  // A refresh by the script does not count: the person has not read the notice.
  if (session !== undefined && c.req.header('x-follow') === undefined) session.notice = undefined;
  const { pathname: path, search } = new URL(c.req.url);
  const page = (
    <Document
      title={title}
      pollSeconds={pollSeconds}
      seen={seen}
      userName={user && (user.name ?? 'You')}
      notice={notice}
    >
      <CurrentUrl.Provider value={`${path}${search}`}>{body}</CurrentUrl.Provider>
    </Document>
  );
  return c.html(`<!doctype html>${page}`, status);
}

interface DocumentProps {
  readonly title: string;
  readonly pollSeconds: number | undefined;
  readonly seen: string | undefined;
  readonly userName: string | undefined;
  readonly notice: Notice | undefined;
  readonly children?: Child;
}

const Document: FC<DocumentProps> = ({ title, pollSeconds, seen, userName, notice, children }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Demo Studio`}</title>
      <link rel="icon" href={ASSETS.icon.url} type="image/svg+xml" />
      <link rel="stylesheet" href={ASSETS.style.url} />
      <script src={ASSETS.script.url} defer></script>
      <script src={ASSETS.connectAccounts.url} type="module"></script>
      {pollSeconds !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={String(pollSeconds + 1)} />
        </noscript>
      )}
    </head>
    <body data-follow={pollSeconds} data-seen={seen}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="/">
          <Logo />
          Demo Studio
        </a>
        {userName !== undefined && (
          <form method="post" action="/sign-out" class="who">
            <bdi>{userName}</bdi>
            <button type="submit" class="quiet">
              Sign out
            </button>
          </form>
        )}
      </header>
      <main id="main">
        {notice && <NoticeBar notice={notice} />}
        {children}
      </main>
      <footer class="foot">
        <p>
          Demo Studio is an example. It shows how an application connects its users’ accounts and reads them. In the
          API, YouTube is <code>PROVIDER_A</code>, TikTok <code>PROVIDER_B</code> and Instagram <code>PROVIDER_C</code>.
        </p>
      </footer>
    </body>
  </html>
);

const Logo = () => (
  <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
    {raw('<rect width="24" height="24" rx="7"/><path d="M7 16.5v-4M12 16.5v-9M17 16.5v-6"/>')}
  </svg>
);
