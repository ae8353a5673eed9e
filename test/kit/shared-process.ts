// Loaded before each test file: what files that run one after the other in the same process must not take from each other.
// Made before the first server starts, which puts a Response of its own in the place of Node's.
import '@hono/node-server/utils/response';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll } from 'vitest';

// The system hands out a port that was let go of again at once, so a connection that `fetch` keeps open to one file's
// server would lead into another's.
afterAll(async () => {
  const used = getGlobalDispatcher();
  setGlobalDispatcher(new Agent());
  await used.destroy();
});
