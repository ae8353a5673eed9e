import { createHmac, randomBytes } from 'node:crypto';
import { parseJson } from '../../providers/json.ts';
import { scrubText } from '../../providers/scrub-text.ts';

/** Names whose values are words of the platform's own. */
const LITERALS =
  /^(@type|account_type|code|definition|dimension|domain|error|error_code|error_subcode|error_subtype|error_type|kind|license|liveBroadcastContent|location|locationType|media_product_type|media_type|period|permissions|privacyStatus|projection|quota_limit|quota_metric|reason|scope|scopes|status|token_type|type|uploadStatus)$/;
/** Words and short numbers. A token or an id has longer ones, or mixes both. */
const LITERAL = /^(?:(?:[A-Za-z]{1,24}\d{0,2}|\d{1,8})(?:[_#.:/, -]+|$))+$/;
/** Values that are the platform's own under any name. */
const KNOWN_VALUES = new Set(['', 'ok', 'true', 'false', 'views', 'shares', 'lifetime', 'Views', 'Shares']);
const TEXTS = /^(message|error_description|error_message|error_user_title|error_user_msg)$/;
/** Numbers that reveal nothing of an account. */
const PLAIN_NUMBERS =
  /^(code|error_code|error_subcode|expires_in|refresh_expires_in|refresh_token_expires_in|width|height|position|resultsPerPage|call_count|total_cputime|total_time|estimated_time_to_regain_access)$/;
const SECONDS = /^(create_time|issued_at|exp|iat|auth_time)$/;
const ID_TOKEN = 'id_token';

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;
const URL_START = /^https?:\/\//;
/** The hosts on which an adapter recognises a post. */
const HOSTS = /^(www\.|m\.|vm\.|vt\.)?(tiktok|instagram|youtube)\.com$/;
const PATH_WORDS = /^(channel|embed|p|photo|reel|reels|share|shorts|t|tv|v|video|watch)$/;

/** A number of more digits than a double holds, so that it keeps its form: a bare number. */
const BIG = /^@@(\d+)@@$/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** The instant to which the newest one of a recording is moved. */
const NEWEST_MS = Date.parse('2026-01-01T00:00:00Z');

/**
 * Replaces everything in answers that is secret or belongs to an account by something else of the same form. The same value
 * always becomes the same other value, so that ids still lead from one answer to the next. All times move by the same distance.
 */
export class Redactor {
  readonly #key = randomBytes(32);
  readonly #shiftMs: number;
  readonly #issuer: string | null;

  /** @param newestMs the newest instant of the answers. @param issuer of the platform, or of its stand-in */
  constructor(newestMs: number, issuer: string | null) {
    // Whole seconds: a paging cursor has milliseconds, and the posts around it have not.
    this.#shiftMs = Math.ceil((newestMs - NEWEST_MS) / 1_000) * 1_000;
    this.#issuer = issuer;
  }

  /** The same instant in the recording. */
  moveInstant = (ms: number): number => ms - this.#shiftMs;

  /** Redacts a body. One that is not JSON becomes a word. */
  body(text: string): string {
    if (text.trim() === '') return '';
    const marked = text.replace(STRING_OR_NUMBER, (token) => (/^\d{16,}$/.test(token) ? `"@@${token}@@"` : token));
    const json = parseJson(marked);
    if (json === undefined) return '(not JSON)';
    return JSON.stringify(this.value(json)).replace(/"@@(\d+)@@"/g, '$1');
  }

  value(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item, name));
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([key, member]) => [this.#nameOf(key), this.value(member, key)]);
      return Object.fromEntries(entries);
    }
    if (typeof value === 'number') return this.#number(value, name);
    return typeof value === 'string' ? this.#text(value, name) : value;
  }

  /** Another word of the same form: letters for letters, digits for digits. */
  word(text: string): string {
    let stream = Buffer.alloc(0);
    for (let block = 0; stream.length < text.length; block += 1) {
      const more = createHmac('sha256', this.#key).update(`${block} ${text}`).digest();
      stream = Buffer.concat([stream, more]);
    }
    const pick = (letters: string, index: number) => letters[(stream[index] ?? 0) % letters.length] ?? '';
    return [...text]
      .map((character, index) => {
        if (/[a-z]/.test(character)) return pick('abcdefghijkmnpqrstuvwxyz', index);
        if (/[A-Z]/.test(character)) return pick('ABCDEFGHJKLMNPQRSTUVWXYZ', index);
        if (!/\d/.test(character)) return character;
        return pick(index === 0 ? '123456789' : '0123456789', index);
      })
      .join('');
  }

  /** A path of the API: only its ids are replaced. */
  path = (pathname: string): string =>
    pathname
      .split('/')
      .map((segment) => (/\d{5,}/.test(segment) ? this.word(segment) : segment))
      .join('/');

  #nameOf = (name: string): string => (/^\d{5,}$/.test(name) ? this.word(name) : name);

  #number(value: number, name: string): number {
    if (SECONDS.test(name)) return Math.round(this.moveInstant(value * 1000) / 1000);
    // A paging cursor is a point in time.
    if (name === 'cursor' && value > 1e12) return this.moveInstant(value);
    if (PLAIN_NUMBERS.test(name) || Math.abs(value) < 10) return value;
    return Number(this.word(String(value)));
  }

  #text(text: string, name: string): string {
    const big = BIG.exec(text)?.[1];
    if (big !== undefined) return `@@${this.word(big)}@@`;
    if (name === ID_TOKEN) return this.#idToken(text);
    if (TEXTS.test(name)) return scrubText(text);
    if (KNOWN_VALUES.has(text) || (LITERALS.test(name) && LITERAL.test(text))) return text;
    if (INSTANT.test(text)) return this.#instant(text);
    if (URL_START.test(text)) return this.#url(text);
    return /^[\x21-\x7e]*$/.test(text) ? this.word(text) : this.#prose(text);
  }

  #instant(text: string): string {
    const [, , fraction = '', zone = ''] = INSTANT.exec(text) ?? [];
    const moved = new Date(this.moveInstant(Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))));
    return `${moved.toISOString().slice(0, 19)}${fraction.replace(/\d/g, '0')}${zone.replace(/\d/g, '0')}`;
  }

  /** A text of a person: its length, its spaces and its alphabets stay. */
  #prose = (text: string): string =>
    text.replace(/\p{L}\p{M}*/gu, (letter) => (/^[a-zA-Z]$/.test(letter) ? 'x' : 'ä')).replace(/\p{N}/gu, '1');

  #url(text: string): string {
    if (!URL.canParse(text)) return 'https://media.example/';
    const url = new URL(text);
    const path = url.pathname
      .split('/')
      .map((segment) => {
        if (segment === '' || PATH_WORDS.test(segment)) return segment;
        return segment.startsWith('@') ? `@${this.word(segment.slice(1))}` : this.word(segment);
      })
      .join('/');
    const query = [...url.searchParams].map(([key, value]) => `${key}=${this.word(value)}`).join('&');
    const host = HOSTS.test(url.hostname) ? url.hostname : 'media.example';
    return `https://${host}${path}${query === '' ? '' : `?${query}`}`;
  }

  /** The signature is not part of a recording, and no adapter checks it. */
  #idToken(token: string): string {
    const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null) return 'unreadable';
    const issuer =
      'iss' in claims && claims.iss === this.#issuer ? 'https://accounts.google.com' : 'https://other.example';
    const payload = { ...(this.value(claims) as object), ...('iss' in claims && { iss: issuer }) };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    return `${encode({ alg: 'none' })}.${encode(payload)}.x`;
  }
}

/** The newest instant in these answers. Their own server may be ahead of our clock. */
export function findNewest(bodies: readonly string[], nowMs: number): number {
  const found = bodies.flatMap((body) => listInstants(parseJson(body)));
  return Math.max(nowMs, ...found.filter((ms) => ms < nowMs + 86_400_000));
}

function listInstants(value: unknown, name = ''): number[] {
  if (Array.isArray(value)) return value.flatMap((item) => listInstants(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => listInstants(member, key));
  if (typeof value === 'number' && SECONDS.test(name)) return [value * 1000];
  const ms = typeof value === 'string' && INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? [] : [ms];
}
