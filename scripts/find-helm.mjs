import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

const VERSION = 'v3.22.0';
const BIN = path.join(ROOT, '.cache', 'helm', 'bin');

/** Finds Helm on the PATH, or builds it once from its Go module. @returns the program's name or path */
export function findHelm() {
  try {
    execFileSync('helm', ['version', '--short'], { stdio: 'ignore' });
    return 'helm';
  } catch {
    const built = path.join(BIN, 'helm');
    if (!existsSync(built)) {
      console.log(`Building Helm ${VERSION} from its Go module, once…`);
      execFileSync('go', ['install', `helm.sh/helm/v3/cmd/helm@${VERSION}`], {
        env: { ...process.env, GOBIN: BIN },
        stdio: 'inherit',
      });
    }
    return built;
  }
}
