import { type Entry, History, type Note } from '../history/history.ts';
import { type Called, EMPTY, type PlatformRecord, type Run, recordCalls } from '../history/run.ts';
import { View } from '../history/view.ts';
import { type Answer, Refusal, type RootField } from '../kit/graphql.ts';

type App = { readonly appId: string };
/** Sends a request of an app. @throws Refusal */
type Ask = (field: RootField, variables?: object) => Promise<Answer>;
/** The record of a state: what happened until then, and the calls at the platforms. */
interface Saved {
  readonly entries: readonly Entry[];
  readonly calls: readonly Called[];
}

/** The record of a state and of an order in it. The checker reads it. */
export class Recorder {
  readonly #history = new History();
  /** The kinds of entries in all orders. */
  readonly kinds = new Set<string>();
  /** By its number in the history. */
  readonly #calls = new Map<number, Ask>();
  #before: readonly Called[] = [];

  /** The record of a state. */
  save(calls: readonly Called[]): Saved {
    return { entries: [...this.#history.entries], calls: [...this.#before, ...calls] };
  }

  /** Begins again with the record of a state. */
  restore({ entries, calls }: Saved): void {
    this.#history.entries.splice(0, Number.POSITIVE_INFINITY, ...entries);
    this.#before = calls;
  }

  add(note: Note, flow = 'run'): void {
    this.kinds.add(note.type);
    this.#history.add(flow, note);
  }

  /** Records the requests of an app. */
  around(app: App, ask: Ask): Ask {
    return async (field, variables = {}) => {
      const call = this.#calls.size;
      this.#calls.set(call, ask);
      const flow = flowOf(app, variables);
      const add = (note: object) => this.add({ call, field, ...note } as Note, flow);
      add({ type: 'asked', variables });
      try {
        const value = await ask(field, variables);
        add({ type: 'answered', value });
        return value;
      } catch (error) {
        if (error instanceof Refusal) add({ type: 'refused', code: error.code });
        throw error;
      }
    };
  }

  /** Reads again, as their callers, all that was accepted. Requests whose process died get no answer. */
  async conclude(): Promise<void> {
    const view = new View({ ...EMPTY, entries: [...this.#history.entries] });
    const ended = new Set(view.calls.map(({ entry }) => entry.call));
    for (const [call, { entry }] of view.asked) {
      if (!ended.has(call)) this.add({ type: 'lost', call, field: entry.field, reason: 'died' }, entry.flow);
    }
    this.add({ type: 'phase', phase: 'settled' });
    const again = (call: number, flow: string, field: RootField, variables: object) => {
      const ask = this.#calls.get(call);
      const unrecorded = ask && this.around({ appId: flow.split(' ')[0] ?? '' }, ask);
      return unrecorded?.(field, variables).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
    };
    for (const [id, { call, flow, kind }] of view.accepted) {
      const { scope, connectionId, input } = view.asked.get(call)?.entry.variables ?? {};
      if (kind === 'attempt') await again(call, flow, 'connectSessionResult', { scope: input.scope, id });
      else if (kind === 'job') await again(call, flow, 'syncJob', { scope, connectionId, id });
      else {
        const created = view.calls.find(({ entry }) => entry.call === call)?.entry;
        const resultProof = created?.type === 'answered' && created.value.resultProof;
        await again(call, flow, 'redeemIdpIdentityResult', { id, tenantKey: input.tenantKey, resultProof });
      }
    }
    const flows = new Map([...view.asked.values()].map(({ entry }) => [entry.flow, entry]));
    for (const [flow, { call, variables }] of flows) {
      const scope = variables.scope ?? variables.input?.scope;
      if (scope !== undefined) await again(call, flow, 'connections', { scope, first: 100 });
    }
  }

  run(grants: PlatformRecord['grants'], calls: readonly Called[], remains: Run['remains']): Run {
    const platform = { grants, posts: [], calls: recordCalls([...this.#before, ...calls]) };
    return { entries: this.#history.entries, platform, remains };
  }
}

/** A person of an app. */
export const flowOf = (app: App, variables: { scope?: { externalSubjectId: string }; input?: object }): string => {
  const { scope = undefined } = { ...variables.input, ...variables } as typeof variables;
  return `${app.appId} ${scope?.externalSubjectId ?? 'sign-in'}`;
};
