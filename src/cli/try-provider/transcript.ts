import type { ProviderName } from '../../basics/codes.ts';
import type { ReadAnswer } from '../../providers/answers.ts';
import type { Symptom } from '../../providers/checklist.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../providers/http.ts';
import { parseJson } from '../../providers/json.ts';
import { ProviderError } from '../../providers/provider.ts';
import { listCodes } from '../../providers/unexpected-answers.ts';
import { explainSymptom, findSymptom } from './checklist.ts';
import { compareFields } from './compare-answer.ts';

/**
 * The events of a trial, and the differences from the answers that the adapter expects. It contains names of fields, statuses and
 * error codes, and no other value: no token, no id, nothing of the account.
 */
export class Transcript {
  readonly #provider: ProviderName;
  readonly #print: (line: string) => void;
  readonly #lines: string[] = [];
  readonly #differences = new Set<string>();
  readonly #symptoms = new Set<Symptom>();
  readonly #seen = new Set<string>();

  constructor(provider: ProviderName, print: (line: string) => void) {
    this.#provider = provider;
    this.#print = print;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get differences(): readonly string[] {
    return [...this.#differences];
  }

  get symptoms(): readonly Symptom[] {
    return [...this.#symptoms];
  }

  say(line: string): void {
    this.#lines.push(line);
    this.#print(line);
  }

  differ(text: string): void {
    this.#differences.add(text);
    this.say(`  ! ${text}`);
  }

  /** Names items that may be missing at the platform's console. */
  notice(symptom: Symptom): void {
    if (this.#symptoms.has(symptom)) return;
    this.#symptoms.add(symptom);
    for (const { id, item } of explainSymptom(this.#provider, symptom)) this.say(`    check ${id}: ${item}`);
  }

  /** Runs one step. @returns undefined if it failed, which is a difference */
  async step<Result>(title: string, work: () => Promise<Result>): Promise<Result | undefined> {
    this.say(`\n${title}`);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const { type, networkCode } = error;
      this.differ(`${title}: the adapter reports ${type}${networkCode === undefined ? '' : ` (${networkCode})`}.`);
      const symptom = findSymptom(error);
      if (symptom !== undefined) this.notice(symptom);
      return undefined;
    }
  }

  /** The client with every request in the transcript. */
  record(http: Http): Http {
    return {
      ...http,
      request: async (request) => {
        const startedAtMs = performance.now();
        const answer = await http.request(request);
        this.#add(request, answer, Math.round(performance.now() - startedAtMs));
        return answer;
      },
    };
  }

  #add({ method, url, where }: HttpRequest, answer: HttpAnswer, ms: number): void {
    const { origin, pathname } = new URL(url);
    const address = `${origin}${pathname.replace(/\d{6,}/g, '{id}')}`;
    const type = answer.headers['content-type']?.split(';')[0] ?? 'no content type';
    this.say(`  ${method} ${address}: ${answer.status}, ${type}, ${ms} ms`);
    const json = parseJson(answer.text);
    const codes = listCodes(json).filter((code) => code !== 'ok'); // PROVIDER_B sends 200 for an error, and `ok` for success.
    if (codes.length > 0) this.say(`    error codes: ${codes.join(', ')}`);
    if (json === undefined && answer.text.trim() !== '') this.differ(`${where} answers no JSON.`);
  }

  /** Adds how an adapter read an answer. Answers of one kind with the same fields are shown once. */
  addRead({ where, schema, json, error }: ReadAnswer): void {
    for (const { path, code } of error?.issues ?? []) {
      this.differ(`${where}: ${path.map(String).join('.') || 'the answer'} is not as expected (${code}).`);
    }
    const { unread, unsent } = compareFields(schema, json);
    for (const [text, names] of [
      ['sent, and not read by the adapter', unread],
      ['read by the adapter, and not sent', unsent],
    ] as const) {
      const line = `    ${where}: ${text}: ${names.join(', ')}`;
      if (names.length > 0 && !this.#seen.has(line)) this.say(line);
      this.#seen.add(line);
    }
  }

  /** Prints the last part. */
  end(): void {
    this.#print('\nWhat differs from what the adapter expects:');
    if (this.#differences.size === 0) this.#print('  nothing');
    for (const difference of this.#differences) this.#print(`  - ${difference}`);
  }
}
