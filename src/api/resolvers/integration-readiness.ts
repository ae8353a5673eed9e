import type { QueryResolvers } from '../../generated/schema.ts';
import { PROVIDER_NAMES } from '../../providers/provider.ts';
import { getReadiness } from '../../store/apps.ts';

export const integrationReadiness: QueryResolvers['integrationReadiness'] = async (_root, _args, { app, sql }) => {
  const ready = await getReadiness(sql, app.appId);
  return {
    providers: PROVIDER_NAMES.map((provider) => ({ provider, available: ready.providers.includes(provider) })),
    idpIdentityAvailable: ready.identity,
  };
};
