import { afterEach, expect, test, vi } from 'vitest';
import { gate } from '../../kit/gate.ts';
import { codesOf, type Options, owner, resolvers, type Service, startService } from '../../kit/graphql-service.ts';

const READ = '{ integrationReadiness { idpIdentityAvailable } }';
const MUTATION =
  'mutation { disconnectConnection(scope: { tenantKey: "t", externalSubjectId: "s" }, connectionId: "c") { accepted } }';
const LATE = ['UPSTREAM_UNAVAILABLE'];

let service: Service;
const start = async (options: Options) => {
  service = await startService(options);
};
afterEach(() => service.close());

test('a request that takes too long is answered, and frees nothing before its work ends', async () => {
  const { opened, open } = gate();
  const read = vi.fn(() => opened.then(() => ({ providers: [], idpIdentityAvailable: false })));
  await start({
    answerWithinMs: 50,
    resolvers: { ...resolvers, Query: { ...resolvers.Query, integrationReadiness: read } },
  });
  const answers = await Promise.all(Array.from({ length: 12 }, () => service.ask(READ)));
  expect(answers.map(codesOf)).toEqual(Array.from({ length: 12 }, () => LATE));
  expect(read).toHaveBeenCalledTimes(8); // As many as one app may run.
  await service.ask(READ);
  expect(read).toHaveBeenCalledTimes(8);
  open();
  await vi.waitFor(async () => expect((await service.ask(READ)).body.errors).toBeUndefined());
  // Those that were answered while they waited never ran.
  expect(read.mock.calls.length).toBeLessThan(12);
  expect(service.lines.join()).not.toContain('Unexpected failure');
});

test('a change that has not begun when its request is answered never begins', async () => {
  const { opened, open } = gate();
  const change = vi.fn(() => ({ accepted: true }));
  const findKeyOwner = vi.fn(() => opened.then(() => owner()));
  await start({
    answerWithinMs: 50,
    findKeyOwner,
    resolvers: { ...resolvers, Mutation: { ...resolvers.Mutation, disconnectConnection: change } },
  });
  expect(codesOf(await service.ask(MUTATION))).toEqual(LATE);
  open();
  expect((await service.ask(MUTATION)).body.errors).toBeUndefined();
  expect(change).toHaveBeenCalledOnce();
});

test('while a key is not found in time, requests are refused at once, but not those that need no database', async () => {
  const { opened, open } = gate();
  const findKeyOwner = vi.fn(() => opened.then(() => owner()));
  await start({ findKeyOwner, shed: { keyWithinMs: 50, probeEveryMs: 600_000 } });
  expect(codesOf(await service.ask(READ))).toEqual(LATE);
  for (let asked = 0; asked < 5; asked += 1) expect(codesOf(await service.ask(READ))).toEqual(LATE);
  expect(findKeyOwner).toHaveBeenCalledOnce();
  expect((await service.ask('{ status { ok } }')).body.errors).toBeUndefined();
  expect(codesOf(await service.ask(READ, { headers: { authorization: 'Bearer x' } }))).toEqual(['UNAUTHENTICATED']);
  open();
  await vi.waitFor(async () => expect((await service.ask(READ)).body.errors).toBeUndefined());
});

test('requests beyond those that may be unfinished are refused at once', async () => {
  const { opened, open } = gate();
  const findKeyOwner = vi.fn(() => opened.then(() => owner()));
  await start({ findKeyOwner, shed: { maxUnfinished: 2 } });
  const first = [service.ask(READ), service.ask(MUTATION)];
  await vi.waitFor(() => expect(findKeyOwner).toHaveBeenCalledTimes(2));
  expect(codesOf(await service.ask(READ))).toEqual(LATE);
  open();
  await Promise.all(first);
  expect((await service.ask(READ)).body.errors).toBeUndefined();
});
