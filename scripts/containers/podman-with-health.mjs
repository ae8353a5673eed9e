#!/usr/bin/env node
// Podman for podman-compose where no systemd runs the health checks. Podman leaves them to systemd's timers, and `podman wait
// --condition=healthy` came with version 4.6. This runs the checks itself while podman-compose waits for them. It looks itself
// whether a container has stopped: without systemd, Podman 4.3 takes 20 seconds to report it. It also leaves
// out `--requires`, with which Podman 4.3 starts no container whose requirement has one of its own; podman-compose keeps the
// order without it.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const LEAST_VERSION = 'podman version 4.6.0';
const LONGEST_WAIT_MS = 60_000;
const PAUSE_MS = 500;

const args = process.argv.slice(2);
const CONDITIONS = {
  healthy: (container) => spawnSync('podman', ['healthcheck', 'run', container], { stdio: 'ignore' }).status === 0,
  stopped: (container) => {
    const inspect = ['container', 'inspect', '--format', '{{.State.Running}} {{.State.StartedAt.Year}}', container];
    const [isRunning, startedIn] = spawnSync('podman', inspect, { encoding: 'utf8' }).stdout.trim().split(' ');
    return isRunning === 'false' && Number(startedIn) > 1; // Year 1: not started yet.
  },
};
const wanted =
  args[0] === 'wait' ? CONDITIONS[args.find((arg) => arg.startsWith('--condition='))?.slice(12)] : undefined;

if (args[0] === '--version') {
  console.log(LEAST_VERSION);
} else if (wanted !== undefined) {
  const endsAt = Date.now() + LONGEST_WAIT_MS;
  for (const container of args.slice(1).filter((arg) => !arg.startsWith('--'))) {
    while (!wanted(container)) {
      if (Date.now() > endsAt) {
        console.error(`${container} is not as podman-compose wants it: ${args[1]}`);
        process.exit(0); // podman-compose would ask again for ever.
      }
      await sleep(PAUSE_MS);
    }
  }
} else {
  const { status } = spawnSync(
    'podman',
    args.filter((arg) => !arg.startsWith('--requires=')),
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}
