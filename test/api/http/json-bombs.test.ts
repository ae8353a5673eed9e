import { expect, test } from 'vitest';
import { AUTHORIZATION, startService } from '../../kit/graphql-service.ts';

const LIMIT = 64 * 1024;
const WITHIN_MS = 500;
const query = 'query ($scope: SubjectScope!) { connections(scope: $scope) { pageInfo { endCursor } } }';
const fill = (one: (index: number) => string): string => {
  const parts: string[] = [];
  for (let size = 300; size < LIMIT - 40; size += (parts.at(-1)?.length ?? 0) + 1) parts.push(one(parts.length));
  return parts.join(',');
};
const inVariables = (members: string) => `{"query":${JSON.stringify(query)},"variables":{${members}}}`;

/** Bodies just below the limit. V8 seeds its hashes at random; integer-like keys have none. */
const BOMBS: readonly (readonly [what: string, body: string])[] = [
  ['an object of thousands of keys', inVariables(fill((index) => `"k${index}":1`))],
  ['an object of thousands of numeric keys', inVariables(fill((index) => `"${index * 65_536}":1`))],
  ['an object of keys of objects', inVariables(fill((index) => `"__proto__":{"k${index}":1}`))],
  ['a list nested by the ten thousand', inVariables(`"scope":${'['.repeat(30_000)}${']'.repeat(30_000)}`)],
  ['an object nested by the thousand', inVariables(`"scope":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`)],
];

test.for(BOMBS)('%s is answered at once', async ([, body]) => {
  const service = await startService();
  const post = (text: string) =>
    fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: AUTHORIZATION },
      body: text,
    });
  await post(JSON.stringify({ query: '{ status { ok } }' })); // The first request compiles the shared code.
  expect(body.length).toBeLessThan(LIMIT);
  const before = process.cpuUsage();
  const response = await post(body);
  const text = await response.text();
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(WITHIN_MS);
  expect(response.status).toBe(400);
  expect(text.length).toBeLessThan(8 * 1024);
  expect(Object.keys({})).toEqual([]);
  await service.close();
});
