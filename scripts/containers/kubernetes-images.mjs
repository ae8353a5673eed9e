import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.mjs';
import { call } from './engine.mjs';
import { getBaseImages } from './images.mjs';

const FOLDER = path.join(ROOT, '.cache', 'kubernetes', 'images');
const NEXT = 'docker.io/library/social-accounts:next';
/** The images below a deployment: see test/kubernetes/parts.yaml. */
const BASE = [
  'docker.io/library/postgres:18',
  'docker.io/library/caddy:2.11',
  'docker.io/temporalio/server:1.32.0',
  'docker.io/temporalio/admin-tools:1.32.0',
];

/**
 * Builds the images of this version under two names, to upgrade from one to the other, and saves all that a cluster needs.
 * @param {import('./engine.mjs').Engine} engine
 * @returns {Promise<string[]>} archives
 */
export async function saveImages(engine) {
  await getBaseImages(engine, (image) => !image.startsWith('temporalio/ui:'));
  mkdirSync(FOLDER, { recursive: true });
  const [, version] = /^appVersion: (\S+)$/m.exec(
    readFileSync(path.join(ROOT, 'deploy', 'helm', 'social-accounts', 'Chart.yaml'), 'utf8'),
  ) ?? [''];
  const installed = `docker.io/library/social-accounts:${version}`;
  build(engine, 'service', installed, ROOT);
  call(engine, ['build', ...optionsOf(engine), '--label', 'next=true', '--target', 'service', '--tag', NEXT, ROOT]);
  build(engine, 'demo', 'docker.io/library/social-accounts-demo:test', ROOT);
  return [
    save(engine, 'ours', [installed, NEXT, 'docker.io/library/social-accounts-demo:test']),
    save(engine, 'base', BASE),
  ];
}

const optionsOf = (engine) => [
  ...engine.buildOptions,
  ...(engine.name === 'podman' ? ['--pull-never', '--layers'] : []),
];

const build = (engine, target, tag, folder) =>
  call(engine, ['build', ...optionsOf(engine), '--target', target, '--tag', tag, folder]);

/** Saves images into one archive, unless it has them. */
function save(engine, name, images) {
  const archive = path.join(FOLDER, `${name}.tar`);
  const ids = call(engine, ['image', 'inspect', '--format', '{{.Id}}', ...images]);
  const known = `${archive}.ids`;
  if (existsSync(archive) && existsSync(known) && readFileSync(known, 'utf8') === ids) return archive;
  rmSync(archive, { force: true });
  const several = engine.name === 'podman' ? ['--multi-image-archive'] : [];
  call(engine, ['save', ...several, '--output', archive, ...images]);
  writeFileSync(known, ids);
  return archive;
}
