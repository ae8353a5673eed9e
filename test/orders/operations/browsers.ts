import type { Facts } from '../facts.ts';
import { callBack, launch } from '../states.ts';
import { hasAttempt, hasSignIn, type Operation } from './operation.ts';

/** The action of a launch's or callback's page after its check of the browser. A page that explains a refusal is an answer. */
const launches = (
  what: string,
  find: (facts: Facts) => string | undefined,
  flow: 'connectFlow' | 'identityFlow',
): Operation => ({
  name: `browser: launch${what}`,
  fits: (facts) => find(facts) !== undefined,
  isTwice: true,
  run: (world, facts) => world.refusalIsAnswer(launch(world[flow], find(facts) ?? '')),
});

const calls = (
  what: string,
  find: (facts: Facts) => string,
  flow: 'connectFlow' | 'identityFlow',
  fits: Operation['fits'],
): Operation => ({
  name: `browser: ${what}`,
  fits,
  isTwice: true,
  run: (world, facts) => {
    const session = (flow === 'connectFlow' ? facts.attempts[0] : facts.signIn)?.session.id;
    const isDenied = find(facts).includes('error=');
    world.recorder.add({ type: 'browser', session, step: isDenied ? 'denied' : 'returned' });
    return world.refusalIsAnswer(callBack(world[flow], find(facts)));
  },
});

const denied = (callback: string): string => {
  const url = new URL(callback);
  url.searchParams.delete('code');
  url.searchParams.set('error', 'access_denied');
  return url.href;
};
const ofAttempt = ({ attempts }: Facts) => attempts[0]?.callback ?? '';
const ofSignIn = ({ signIn }: Facts) => signIn?.callback ?? '';

export const BROWSERS: readonly Operation[] = [
  launches('', ({ created }) => created?.launchToken, 'connectFlow'),
  launches(' of the sign-in', ({ createdSignIn }) => createdSignIn?.launchToken, 'identityFlow'),
  calls('callback', ofAttempt, 'connectFlow', hasAttempt),
  calls('denied callback', (facts) => denied(ofAttempt(facts)), 'connectFlow', hasAttempt),
  calls('callback of the sign-in', ofSignIn, 'identityFlow', hasSignIn),
  calls('denied callback of the sign-in', (facts) => denied(ofSignIn(facts)), 'identityFlow', hasSignIn),
];
