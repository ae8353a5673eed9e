import { Hono } from 'hono';
import { PROVIDER_NAMES } from '../../basics/codes.ts';
import type { Catalog } from '../../providers/facts.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { renderLayout } from './layout.tsx';
import type { Operator } from './operator.ts';
import { setPageHeaders } from './set-page-headers.ts';

/** A page for the people, such as a platform's reviewers, who shorten a redirect URI. Without an operator's name there is none. */
export function createFrontPage(operator: Operator, facts: Catalog): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const { name } = operator;
  if (name === undefined) return routes;
  const page = renderLayout({
    language: 'en',
    operator,
    mood: 'done',
    about: name,
    heading: 'Connect your accounts',
    platforms: PROVIDER_NAMES.flatMap((provider) => facts[provider].terms),
    children: (
      <p>
        Applications send you here to connect your social media accounts to them, and to end such a connection. To
        start, open the application.
      </p>
    ),
  });
  routes.get('/', setPageHeaders, (c) => c.html(page));
  return routes;
}
