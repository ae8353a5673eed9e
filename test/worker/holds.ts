import { activityInfo } from '@temporalio/activity';
import type { Activity } from '../kit/at-work.ts';
import { gate } from '../kit/gate.ts';

/** The side of an activity's effect at which it is held. */
export type Moment = 'before' | 'after';

/** An activity that is held. */
export interface Held {
  readonly workflowId: string;
  /** Whether it runs within the workflow task. Such a workflow answers no query meanwhile. */
  readonly isLocal: boolean;
}

interface Hold {
  readonly moment: Moment;
  readonly meet: (held: Held) => void;
}

type Input = Readonly<Record<string, unknown>> | undefined;

/**
 * Holds activities of a real worker before or after their effect, so that a test can end their workflows in exactly that
 * moment. An activity that was held before its effect runs when it is released, long after its workflow has ended: no
 * activity notices in time that its workflow is gone.
 */
export class Holds {
  readonly #holds = new Map<string, Hold[]>();
  readonly #findSubjectOfJob: (jobId: string) => Promise<string>;
  readonly #late: Promise<unknown>[] = [];
  #end = gate();

  /** @param findSubjectOfJob finds the connection, or attempt, of a job: only those ids are known before a job exists. */
  constructor(findSubjectOfJob: (jobId: string) => Promise<string>) {
    this.#findSubjectOfJob = findSubjectOfJob;
  }

  /**
   * Holds the next such activity once.
   * @param subject the connection, attempt, endpoint or registration that it is about; any if not given
   * @returns when it is held
   */
  hold(workflowType: string, activity: string, moment: Moment, subject = '*'): Promise<Held> {
    return new Promise((meet) => {
      const key = `${workflowType}/${activity}/${subject}`;
      this.#holds.set(key, [...(this.#holds.get(key) ?? []), { moment, meet }]);
    });
  }

  /** Takes back the holds of such an activity that no call has met. */
  forget(workflowType: string, activity: string, subject = '*'): void {
    this.#holds.delete(`${workflowType}/${activity}/${subject}`);
  }

  /** Resumes all held activities, and waits until they have ended. */
  async releaseAll(): Promise<void> {
    this.#end.open();
    await Promise.allSettled(this.#late);
    this.#end = gate();
  }

  /** For `StartOptions.around`. */
  readonly around = (name: string, activity: Activity): Activity => {
    return async (...args) => {
      const hold = await this.#takeHold(name, args[0] as Input);
      if (hold === undefined) return await activity(...args);
      const { workflowExecution, isLocal } = activityInfo();
      const result = hold.moment === 'after' ? await activity(...args) : undefined;
      const rest = this.#end.opened.then(() => (hold.moment === 'after' ? result : activity(...args)));
      this.#late.push(rest);
      hold.meet({ workflowId: workflowExecution?.workflowId ?? '', isLocal });
      return await rest;
    };
  };

  async #takeHold(name: string, input: Input): Promise<Hold | undefined> {
    const { workflowType } = activityInfo();
    const of = `${workflowType}/${name}/`;
    if (![...this.#holds].some(([key, holds]) => key.startsWith(of) && holds.length > 0)) return undefined;
    for (const subject of [await this.#findSubject(input), '*']) {
      const hold = this.#holds.get(of + subject)?.shift();
      if (hold !== undefined) return hold;
    }
    return undefined;
  }

  async #findSubject({ attemptId, connectionId, endpointId, registrationId, jobId }: NonNullable<Input> = {}) {
    const named = attemptId ?? connectionId ?? endpointId ?? registrationId;
    if (named !== undefined) return String(named);
    return typeof jobId === 'string' ? await this.#findSubjectOfJob(jobId) : '*';
  }
}
