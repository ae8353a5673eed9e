import { createServer } from 'node:http';
import type { Person } from '../kit/person.ts';

export interface CallerPages {
  readonly url: string;
  /** The path and query of every request. */
  readonly asked: string[];
  close(): Promise<void>;
}

/**
 * The smallest app that can connect an account: a button that posts the launch form, and a return page that shows the
 * result. It serves one person and keeps their session.
 */
export async function openCallerPages(person: Person, returnUrl: string): Promise<CallerPages> {
  const { origin, port, hostname, pathname: returnPath } = new URL(returnUrl);
  const asked: string[] = [];
  let sessionId: string | undefined;

  async function answer(path: string, query: URLSearchParams): Promise<string> {
    if (path === '/') {
      const session = await person.createSession('PROVIDER_B');
      sessionId = session.id;
      return `<form method="post" action="${session.launchUrl}">
        <input type="hidden" name="launchToken" value="${session.launchToken}"><button>Connect</button></form>`;
    }
    if (path !== returnPath || sessionId === undefined) return '<h1>Nothing here</h1>';
    if (query.get('ss_session_id') !== sessionId) return '<h1>Not your session</h1>';
    const { status, connectionId } = await person.outcome(sessionId);
    if (status !== 'COMPLETED') return `<h1>${status}</h1>`;
    const { profile } = await person.synced(connectionId);
    return `<h1>Connected as ${profile.displayName}</h1><output>${connectionId}</output>`;
  }

  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', origin);
    asked.push(`${pathname}${search}`);
    answer(pathname, searchParams).then(
      (html) => response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  return {
    url: `${origin}/`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
