import type { Mutations, Queries } from '../contract.ts';
import * as apps from './apps.ts';
import * as callbackSecrets from './callback-secrets.ts';
import * as connections from './connections.ts';
import * as many from './disconnect-many.ts';
import * as erasures from './erasures.ts';
import * as exports from './export-subject.ts';
import * as find from './find.ts';
import * as jobs from './jobs.ts';
import * as liveState from './live-state.ts';
import * as operators from './operators.ts';
import * as overview from './overview.ts';
import * as people from './people.ts';
import * as registrations from './registrations.ts';
import * as settings from './settings.ts';
import * as signIns from './sign-ins.ts';
import * as answers from './unknown-answers.ts';
import * as webhooks from './webhooks.ts';

/** Every operation of admin.graphql: one without a resolver does not compile. */
export const Query: Queries = {
  ...apps.Query,
  ...answers.Query,
  ...connections.Query,
  ...erasures.Query,
  ...find.Query,
  ...jobs.Query,
  ...liveState.Query,
  ...many.Query,
  ...operators.Query,
  ...overview.Query,
  ...people.Query,
  ...registrations.Query,
  ...signIns.Query,
  ...webhooks.Query,
};

export const Mutation: Mutations = {
  ...apps.Mutation,
  ...answers.Mutation,
  ...callbackSecrets.Mutation,
  ...connections.Mutation,
  ...erasures.Mutation,
  ...exports.Mutation,
  ...jobs.Mutation,
  ...many.Mutation,
  ...operators.Mutation,
  ...registrations.Mutation,
  ...settings.Mutation,
  ...webhooks.Mutation,
};
