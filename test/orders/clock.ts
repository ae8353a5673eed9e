/**
 * The process' clock. An order moves it together with business time, so that the service, the platforms and Temporal agree
 * on the time; inside a workflow it is Temporal's, which may be ahead of the database's.
 */
const RealDate = Date;

let shiftMs = 0;
let readWorkflowTime: () => number | undefined = () => undefined;

/** Business time, also inside a workflow. */
export const getProcessTime = (): number => RealDate.now() + shiftMs;

const now = (): number => readWorkflowTime() ?? getProcessTime();

/** Replaces `Date` of this process. @returns a function that restores the real one. */
export function replaceDate(): () => void {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: []) => (args.length === 0 ? new target(now()) : new target(...args)),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  return () => {
    globalThis.Date = RealDate;
  };
}

/** @param read returns the time of the workflow that runs, undefined outside any. */
export function setWorkflowClock(read: () => number | undefined): void {
  readWorkflowTime = read;
}

/** The distance of the process' clock from the machine's. */
export const getShift = (): number => shiftMs;

export function setShift(ms: number): void {
  shiftMs = ms;
}
