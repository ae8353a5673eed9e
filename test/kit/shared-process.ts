// Loaded before each test file: isolates files that run one after the other in the same process.
// Created before the first server starts, because that replaces Node's Response.
import './patience.ts';
import '@hono/node-server/utils/response';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll } from 'vitest';
import { recordReach } from './record-reach.ts';

if (process.env.RECORD_REACH === 'yes') recordReach();

// The system reuses a released port at once, so a connection that `fetch` keeps open to one file's
// server would reach another's.
afterAll(async () => {
  const used = getGlobalDispatcher();
  setGlobalDispatcher(new Agent());
  await used.destroy();
});
