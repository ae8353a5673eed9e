import { PROVIDER_NAMES } from '../../basics/codes.ts';
import type { QueryResolvers } from '../../generated/schema.ts';
import { getReadiness } from '../../store/apps/readiness.ts';

export const integrationReadiness: QueryResolvers['integrationReadiness'] = async (
  _root,
  _args,
  { app, config, sql },
) => {
  const ready = await getReadiness(sql, app.appId, { allowHttp: config.DEPLOYMENT === 'development' });
  return {
    providers: PROVIDER_NAMES.map((provider) => ({ provider, available: ready.providers.includes(provider) })),
    idpIdentityAvailable: ready.identity,
  };
};
