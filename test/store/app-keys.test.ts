import { describe, expect } from 'vitest';
import { insertKey, issueKey } from '../../src/store/apps/keys.ts';
import { beside } from '../kit/beside.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

describe('the keys of an app', () => {
  const issue = { expiresAt: null, label: null };

  test('are two at most, also if two are added at the same time', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const api = asApi(sql);
    const add = () =>
      issueKey(api, app.appId, null).then(
        () => 'added',
        ({ code }) => code,
      );
    const { waited, result } = await beside(sql, (tx) => insertKey(tx, app.appId, issue), add);
    expect([waited, result]).toEqual([true, 'BAD_USER_INPUT']);
  });
});
