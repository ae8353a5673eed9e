import type { QueryResolvers } from '../../generated/schema.ts';
import { PROVIDER_NAMES } from '../../providers/provider.ts';
import { getReadiness } from '../../store/apps.ts';

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
