import type { Context } from 'hono';
import { buildLogoUrl } from '../../domain/connecting/redirect-uris.ts';
import { findBrandedApp } from '../../store/apps/branding.ts';
import type { HttpEnv } from '../http/exchange.ts';
import type { ConnectDeps } from './flow.ts';
import type { FlowAttempt } from './flow-attempt.ts';
import { choosePageLanguage } from './page-language.ts';

/** Reads the name and the branding of an attempt's app. If that fails, a page is shown without them. */
export async function describeApp(c: Context<HttpEnv>, deps: ConnectDeps, attempt: FlowAttempt) {
  try {
    const found = await findBrandedApp(deps.sql, attempt.appId);
    if (found === undefined) return undefined;
    const { color, language, logo } = found.branding;
    const shown = logo && { url: buildLogoUrl(deps.connectUrl, logo.sha256), width: logo.width, height: logo.height };
    return { name: found.name, language, look: { color, logo: shown } };
  } catch (error) {
    c.get('exchange').log.error('Unexpected failure', { error });
    return undefined;
  }
}

/** The language of a page: the app's, or the browser's. */
export const chooseLanguage = (c: Context<HttpEnv>, app: Awaited<ReturnType<typeof describeApp>>) =>
  app?.language ?? choosePageLanguage(c.req.header('accept-language'));
