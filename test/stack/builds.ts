import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../local/src/ports.ts';
import { createCommandEnvironment, createWorkerService, ROOT } from '../../local/src/services.ts';
import { PROGRAM } from '../kit/built.ts';
import type { Answer } from '../kit/graphql.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import type { TestService } from '../kit/service.ts';
import { bundleWorkflows } from '../kit/temporal.ts';

/** One text of one file, and its replacement. */
interface Edit {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

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
    /**
     * Copies the sources, and changes texts of files in `src/workflows`.
     * @returns the main file of the workflows for versioned workers
     */
    change(name: string, edits: readonly Edit[]): string {
      const copy = path.join(run.folder, name);
      cpSync(path.join(ROOT, 'src'), copy, { recursive: true });
      for (const { file, find, put } of edits) {
        const source = path.join(copy, 'workflows', file);
        const text = readFileSync(source, 'utf8');
        if (text.split(find).length !== 2) throw new Error(`${file} does not have once: ${find}`);
        writeFileSync(
          source,
          text.replace(find, () => put),
        );
      }
      return path.join(copy, 'workflows', 'versioned.ts');
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
