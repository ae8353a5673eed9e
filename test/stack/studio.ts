import { serve } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { createApp } from '../../examples/caller/src/app.ts';
import { readConfig } from '../../examples/caller/src/config.ts';
import { buildHttpUrl } from '../../local/src/ports.ts';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { Browser } from '../kit/browser.ts';
import { ask } from '../kit/graphql.ts';
import type { TestService } from '../kit/service.ts';

/** Runs the example caller against the whole service, on another site than the service and the platforms. @param webhookSecret of its endpoint; without one, its pages poll. */
export async function openStudio({ settings, app, commandLine }: TestService, webhookSecret = '') {
  const publicUrl = `http://localhost:${settings.ports.caller}`;
  const [api, sandbox] = [buildHttpUrl(settings.ports.api), buildHttpUrl(settings.ports.sandbox)];
  const issuer = { issuer: `${sandbox}/idp`, 'client-id': IDP_CLIENT.clientId };
  const { id: issuerId } = await commandLine.run('issuer create', issuer, IDP_CLIENT.clientSecret);
  const identity = { app: app.appId, issuer: issuerId, 'return-url': `${publicUrl}/sign-in/return` };
  await Promise.all([
    commandLine.run('identity set', identity),
    commandLine.run('return-url add', { app: app.appId, url: `${publicUrl}/connect/return` }),
  ]);
  // The api first reads the issuer's documents, which may take a busy machine longer than an answer.
  const input = { tenantKey: app.tenantKey, returnUrl: identity['return-url'] };
  const first = await ask(`${api}/graphql`, app.key, 'createIdpIdentitySession', { input });
  await new Browser(identity['return-url']).launch(first, publicUrl);
  const config = readConfig({
    PUBLIC_URL: publicUrl,
    SERVICE_GRAPHQL_URL: `${api}/graphql`,
    SERVICE_API_KEY: app.key,
    TENANT_KEY: app.tenantKey,
    IMAGE_SOURCES: sandbox,
    PROVIDER_C_APPS_URL: sandbox,
    VISIT_URL: `${sandbox}/visit`,
    WEBHOOK_SECRETS: webhookSecret,
  });
  const server = serve({ fetch: createApp(config).fetch, hostname: 'localhost', port: settings.ports.caller });
  return { publicUrl, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

export async function signIn(page: Page, publicUrl: string): Promise<void> {
  await page.goto(publicUrl);
  await page.getByRole('button', { name: 'Sign in to begin' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Your accounts' }).waitFor();
}

export async function connect(page: Page, provider: string, account: RegExp): Promise<void> {
  await page.getByRole('button', { name: `Connect ${provider}` }).click(); // Its form, then the form of the launch.
  await page.getByRole('radio', { name: account }).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText(`Your account at ${provider} is connected.`).waitFor();
}
