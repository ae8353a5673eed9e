import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageLanguage } from '../../basics/codes.ts';
import type { Mood } from './mood.ts';
import type { Refusal } from './refused.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import type { PageTexts } from './texts/page-texts.ts';
import { ptBr } from './texts/pt-br.ts';

/** The status and the picture of each refusal's page. */
export const REFUSAL_PAGES: Readonly<
  Record<Refusal, { readonly status: ContentfulStatusCode; readonly mood: Exclude<Mood, 'done'> }>
> = {
  wrongMethod: { status: 405, mood: 'lost' },
  wrongForm: { status: 400, mood: 'lost' },
  formTooLarge: { status: 413, mood: 'lost' },
  launchUnknown: { status: 404, mood: 'lost' },
  launchUsed: { status: 409, mood: 'stop' },
  launchExpired: { status: 410, mood: 'wait' },
  wrongOrigin: { status: 403, mood: 'stop' },
  framed: { status: 403, mood: 'stop' },
  notNavigation: { status: 403, mood: 'stop' },
  notAllowed: { status: 403, mood: 'stop' },
  paused: { status: 403, mood: 'wait' },
  disconnecting: { status: 409, mood: 'wait' },
  callbackUnknown: { status: 404, mood: 'lost' },
  callbackExpired: { status: 410, mood: 'wait' },
  wrongBrowser: { status: 403, mood: 'stop' },
  answerUnusable: { status: 400, mood: 'stop' },
  prefetch: { status: 503, mood: 'wait' },
  tooManyTries: { status: 429, mood: 'wait' },
  unavailable: { status: 503, mood: 'wait' },
};

/** Native speakers have not reviewed the translations. */
export const PAGE_TEXTS: Readonly<Record<PageLanguage, PageTexts>> = { en, de, fr, es, 'pt-BR': ptBr };

/** Replaces the placeholders of a text. Values are never read for placeholders. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
