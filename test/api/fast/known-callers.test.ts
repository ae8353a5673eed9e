import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fastPaths } from '../../../src/api/fast/fast-paths.ts';
import { type KeyOwner, owner, resolvers, type Service, startService } from '../../kit/graphql-service.ts';

const READ = '{ integrationReadiness { idpIdentityAvailable } }';
const MUTATION =
  'mutation { disconnectConnection(scope: { tenantKey: "t", externalSubjectId: "s" }, connectionId: "c") { accepted } }';
const UNAUTHENTICATED = {
  errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code: 'UNAUTHENTICATED' }) }],
};

describe('a caller who was accepted before', () => {
  const read = vi.fn(() => ({ providers: [], idpIdentityAvailable: false }));
  const change = vi.fn(() => ({ accepted: true }));
  const findKeyOwner = vi.fn(async (): Promise<KeyOwner | undefined> => owner());
  let service: Service;
  beforeEach(async () => {
    vi.clearAllMocks();
    findKeyOwner.mockImplementation(async () => owner());
    service = await startService({
      fast: fastPaths,
      findKeyOwner,
      resolvers: {
        Query: { ...resolvers.Query, integrationReadiness: read },
        Mutation: { ...resolvers.Mutation, disconnectConnection: change },
      },
    });
    for (let use = 0; use < 3; use += 1) expect((await service.ask(READ)).body.errors).toBeUndefined();
  });
  afterEach(() => service.close());

  test('has the read start while the key is checked, and gets the answer after the check', async () => {
    let check = (_found: KeyOwner) => {};
    findKeyOwner.mockImplementation(
      () =>
        new Promise((resolve) => {
          check = resolve;
        }),
    );
    const answered = vi.fn();
    const answer = service.ask(READ).finally(answered);
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(4));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(answered).not.toHaveBeenCalled();
    check(owner());
    expect((await answer).body).toEqual({ data: { integrationReadiness: { idpIdentityAvailable: false } } });
  });

  test.each([
    ['a revoked key', async () => owner({ usable: false })],
    ['an unknown key', async () => undefined],
    ['another secret', async () => owner({ secretSha256: Buffer.alloc(32) })],
  ])('gets no data from the read with %s', async (_name, find) => {
    findKeyOwner.mockImplementation(find);
    expect((await service.ask(READ)).body).toEqual(UNAUTHENTICATED);
    findKeyOwner.mockImplementation(async () => owner());
    expect((await service.ask(READ)).body.errors).toBeUndefined();
    findKeyOwner.mockImplementation(find);
    read.mockImplementationOnce(() => {
      throw new Error('of a read');
    });
    expect((await service.ask(READ)).body).toEqual(UNAUTHENTICATED);
    expect((await service.ask(`query ($first: Int!) ${READ}`)).body).toEqual(UNAUTHENTICATED);
    await vi.waitFor(() => {
      const last = service.lines
        .map((line) => JSON.parse(line))
        .filter(({ message }) => message === 'Request')
        .at(-1);
      expect(last).toMatchObject({ status: 200, codes: ['UNAUTHENTICATED'] });
      expect(last).not.toHaveProperty('operations');
    });
  });

  test('changes nothing before the check of the key', async () => {
    expect((await service.ask(MUTATION)).body.errors).toBeUndefined();
    findKeyOwner.mockImplementation(async () => owner({ usable: false }));
    expect((await service.ask(MUTATION)).body).toEqual(UNAUTHENTICATED);
    expect(change).toHaveBeenCalledOnce();
  });
});
