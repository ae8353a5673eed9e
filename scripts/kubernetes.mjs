// `npm run test:kubernetes`: builds the images, installs the chart by its README as a production deployment, and uses, upgrades and
// breaks it: see test/kubernetes. `-- -t NAME`: only the tests with this name. It uses the cluster that KUBECONFIG names, gives it the
// images with the command in LOAD_IMAGES, such as `kind load image-archive`, and reaches it at NODE_ADDRESS.
import './build.mjs';
import path from 'node:path';
import { findEngine } from './containers/engine.mjs';
import { saveImages } from './containers/kubernetes-images.mjs';
import { findHelm } from './find-helm.mjs';
import { ROOT, run } from './run.mjs';

async function test() {
  const missing = ['KUBECONFIG', 'LOAD_IMAGES', 'NODE_ADDRESS'].filter((name) => process.env[name] === undefined);
  for (const name of missing) console.error(`Set ${name}: scripts/kubernetes.mjs describes it.`);
  if (missing.length > 0) return 1;
  for (const archive of await saveImages(findEngine())) {
    const code = await run('sh', ['-c', `${process.env.LOAD_IMAGES} "$1"`, 'sh', archive]);
    if (code !== 0) return code;
  }
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', '--config', 'test/suites.config.ts', '--project', 'kubernetes', ...process.argv.slice(2)];
  return await run(process.execPath, [vitest, ...args], { HELM: findHelm() });
}

process.exitCode = await test();
