import { expect } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';

// A Secret has no readable fields: without this, `toMatchObject` takes anything for an equal one, even null.
expect.addEqualityTesters([
  (left: unknown, right: unknown) =>
    left instanceof Secret || right instanceof Secret
      ? left instanceof Secret && right instanceof Secret && left.reveal() === right.reveal()
      : undefined,
]);
