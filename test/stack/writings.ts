import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { readTemporal, Secrets, type Writing } from '../kit/leaks.ts';
import type { Person } from '../kit/person.ts';
import type { TestService } from '../kit/service.ts';

/** Reads everything that was written: workflow histories, Schedules, and the log of every process. */
export async function readWritings({ temporalClient, ...service }: TestService): Promise<Writing[]> {
  const parts = [...service.apis, ...service.workers, service.temporal];
  const logs = parts.map(({ name, log }) => ({ where: `the log of ${name}`, text: log }));
  return [...(await readTemporal(temporalClient)), ...logs];
}

/** Collects every value that must not appear in them, from the app, the browsers, the platforms and the vault. */
export function collectSecrets(
  { app, settings, sandbox: { control } }: TestService,
  people: readonly Person[],
): Secrets {
  const secrets = new Secrets();
  secrets.add('api key', app.key.slice(app.key.indexOf('.') + 1));
  secrets.add('tenant', app.tenantKey);
  secrets.add('database URL', settings.databaseUrl);
  for (const keySet of Object.values(settings.keys).filter((text) => text.startsWith('{'))) {
    for (const { k, d } of JSON.parse(keySet).keys) secrets.add('vault key', k, d);
  }
  for (const { scope, launchTokens, resultProofs, browsers } of people) {
    secrets.add('subject', scope.externalSubjectId);
    secrets.add('launch token', ...launchTokens);
    secrets.add('result proof', ...resultProofs);
    for (const browser of browsers) {
      for (const url of browser.visited) {
        const query = new URL(url).searchParams;
        secrets.add('state', query.get('state'));
        secrets.add('code', query.get('code'));
        secrets.add('nonce', query.get('nonce'));
        secrets.addDigest('code verifier', query.get('code_challenge'));
      }
      const ours = Object.entries(browser.cookies).filter(([name]) => name.startsWith('ss_'));
      secrets.add('cookie', ...ours.map(([, value]) => value));
    }
  }
  for (const { clientSecret, metaSecret } of control.clients()) secrets.add('client secret', clientSecret, metaSecret);
  for (const grant of control.grants()) {
    for (const { kind, value } of grant.tokens) secrets.add(`${kind} token`, value);
  }
  for (const { id, principal, handle, email } of control.accounts()) {
    secrets.add('account', id, principal, handle.length < 6 ? null : handle);
    secrets.add('e-mail address', email);
    for (const post of control.posts(id)) secrets.add('post', post.id, post.caption);
  }
  secrets.add('client secret', IDP_CLIENT.clientSecret);
  for (const { sub, claims } of control.people()) {
    const { email, name } = claims as { email?: string; name?: string };
    secrets.add('account', sub);
    secrets.add('e-mail address', email);
    secrets.add('name', name);
  }
  return secrets;
}
