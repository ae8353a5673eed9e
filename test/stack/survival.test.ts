import { refusalOf } from '../kit/graphql.ts';
import { lastDays, PERMISSIONS } from '../kit/person.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { promptly } from '../kit/trouble.ts';

const test = stackTest();

test.for([
  {
    how: 'killed',
    leave: (service: TestService) => service.temporal.kill(),
    back: (service: TestService) => service.temporal.start(),
  },
  {
    how: 'hanging',
    leave: async (service: TestService) => service.temporal.pause(),
    back: async (service: TestService) => service.temporal.resume(),
  },
])(
  'Temporal unavailable: ($how) all that is accepted meanwhile comes to its right end',
  async ({ leave, back }, { service, newPerson, expect }) => {
    const [starting, returning, leaving] = [newPerson(), newPerson(), newPerson()];
    const account = leaving.account('PROVIDER_B', /short pages/);
    const { connectionId } = await leaving.connect('PROVIDER_B', account);
    await leaving.synced(connectionId);
    const launched = await returning.createSession('PROVIDER_A');
    const consent = await returning.launch(launched);

    await leave(service);
    const created = await promptly(() => starting.createSession('PROVIDER_C'));
    const page = await returning.agree(consent, returning.account('PROVIDER_A', /^250 posts/), PERMISSIONS.PROVIDER_A);
    expect(page.url).toBe(`${service.app.returnUrl}?ss_session_id=${launched.id}`);
    const waiting = await promptly(() => returning.ask('connectSessionResult', { id: launched.id }));
    expect(waiting.status).toBe('EXCHANGING');
    const receipts = await promptly(() => leaving.ask('disconnectConnection', { connectionId }));
    expect(receipts).toMatchObject({ accepted: true, upstreamRevocationPending: true });
    expect(await promptly(() => leaving.connection(connectionId))).toMatchObject({
      status: 'DISCONNECTED',
      profile: null,
    });
    const refusal = await refusalOf(leaving.posts(connectionId, lastDays(6)));
    expect(refusal.code).toBe('DISCONNECT_IN_PROGRESS');
    await back(service);

    expect((await returning.finished(launched.id)).status).toBe('COMPLETED');
    for (const id of [receipts.revokeJobId, receipts.eraseJobId]) {
      expect((await leaving.ended(connectionId, id)).status).toBe('SUCCEEDED');
    }
    expect(leaving.liveGrants(account)).toEqual([]);
    expect((await refusalOf(leaving.connection(connectionId))).code).toBe('NOT_FOUND');
    const consentLater = await starting.launch(created);
    await starting.agree(consentLater, starting.account('PROVIDER_C', /^250 posts/), PERMISSIONS.PROVIDER_C);
    expect((await starting.finished(created.id)).status).toBe('COMPLETED');
  },
);
