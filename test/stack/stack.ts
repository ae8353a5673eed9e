import { test as plainTest } from 'vitest';
import { startTestService, type TestService, type TestServiceOptions } from '../kit/service.ts';
import { Person } from './person.ts';

/** `test` with a whole service that all tests of one file share; each test has people of its own. */
export const stackTest = (options: TestServiceOptions = {}) =>
  plainTest.extend<{
    $file: { service: TestService; people: Person[] };
    $test: { newPerson: () => Person; logsOfFailed: undefined };
  }>({
    service: [
      // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
      async ({}, use) => {
        const service = await startTestService(options);
        await use(service);
        await service.stop();
      },
      { scope: 'file' },
    ],
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    people: [async ({}, use) => await use([]), { scope: 'file' }],
    newPerson: async ({ service, people }, use) => {
      await use(() => {
        const person = new Person(service);
        people.push(person);
        return person;
      });
    },
    logsOfFailed: [
      async ({ service, onTestFailed }, use) => {
        onTestFailed(() => {
          for (const part of [...service.apis, ...service.workers, service.temporal]) console.error(part.lastLines());
        });
        await use(undefined);
      },
      { auto: true },
    ],
  });
