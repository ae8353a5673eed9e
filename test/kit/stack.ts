import type { Browser } from 'playwright-core';
import { test as plainTest } from 'vitest';
import { openChromium } from './chromium.ts';
import { perFile } from './per-file.ts';
import { Person } from './person.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';
import { makeTrouble, type Trouble } from './trouble.ts';

/** `test` with a whole service, and a browser, that all tests of one file share; each test has people of its own. */
export const stackTest = (options: TestServiceOptions = {}) =>
  plainTest.extend<{
    $file: { service: TestService; people: Person[]; browser: Browser };
    $test: {
      newPerson: () => Person;
      person: Person;
      /** Trouble that is over, at the latest, when the test is. */
      newTrouble: (fault: Parameters<typeof makeTrouble>[1]) => Trouble;
      logsOfFailed: undefined;
    };
  }>({
    service: [
      async ({}, use) => {
        const service = await startTestService(options);
        await use(service);
        await service.stop();
      },
      { scope: 'file' },
    ],
    people: [async ({}, use) => await use([]), { scope: 'file' }],
    browser: perFile(openChromium),
    newPerson: async ({ service, people }, use) => {
      await use(() => {
        const person = new Person(service);
        people.push(person);
        return person;
      });
    },
    person: async ({ newPerson }, use) => await use(newPerson()),
    newTrouble: async ({ service }, use) => {
      const made: Trouble[] = [];
      await use((fault) => {
        const trouble = makeTrouble(service, fault);
        made.push(trouble);
        return trouble;
      });
      for (const trouble of made) trouble.end();
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
