import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../local/src/ports.ts';
import { createCommandEnvironment, createWorkerService } from '../../local/src/services.ts';
import { PROGRAM } from '../kit/built.ts';
import type { Answer } from '../kit/graphql.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import type { TestService } from '../kit/service.ts';
import { bundleWorkflows } from '../kit/temporal.ts';

/** Workers of other builds beside those of the service. */
export async function openBuilds(service: TestService) {
  const run = await openRunFolder();
  const parts: Part[] = [];
  const { settings, database } = service;
  return {
    /** @param file the workflows' main file. @returns the variable that makes a worker run them */
    async bundle(name: string, file: string): Promise<{ WORKFLOW_BUNDLE: string }> {
      const bundle = path.join(run.folder, `${name}.js`);
      if (existsSync(bundle)) throw new Error(`There is a bundle ${name} already.`);
      writeFileSync(bundle, (await bundleWorkflows(file)).code);
      return { WORKFLOW_BUNDLE: bundle };
    },
    async start(variables: Record<string, string> = {}): Promise<Part> {
      const workerHealth = await findFreePort();
      const databaseUrl = database.urls.worker;
      const { env, ...worker } = createWorkerService({
        ...settings,
        databaseUrl,
        ports: { ...settings.ports, workerHealth },
      });
      const name = `worker-${parts.length + 2}`;
      const part = new Part({ ...worker, name, env: { ...env, ...variables } }, run);
      parts.push(part);
      await part.start();
      return part;
    },
    async close() {
      await Promise.all(parts.map((part) => part.stop()));
      run.remove();
    },
  };
}

/** An operator's command, as a process of the built program. */
export async function type({ settings }: TestService, ...args: string[]): Promise<Answer> {
  const env = { ...createCommandEnvironment(settings), PATH: process.env.PATH ?? '' };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args, '--json'], { env });
  return JSON.parse(stdout);
}
