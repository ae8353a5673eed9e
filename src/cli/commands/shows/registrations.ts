import type { Follow } from '../../shape.ts';
import { cut, formatSecond } from './format.ts';

interface ListedRegistration {
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly connectionCount: number;
  readonly accepted: boolean;
  readonly pausedAt: string | null;
  readonly rejectedAt: string | null;
}

const formatMinute = (instant: string | null) => (instant === null ? '-' : formatSecond(instant).slice(0, 16));

export const briefRegistration = (registration: ListedRegistration) => ({
  id: registration.id,
  provider: registration.provider,
  label: cut(registration.label, 14),
  connections: registration.connectionCount,
  accepted: registration.accepted,
  pausedAt: formatMinute(registration.pausedAt),
  rejectedAt: formatMinute(registration.rejectedAt),
});

interface TestedRegistration {
  readonly testedAt: string | null;
  readonly testAnsweredAt: string | null;
  readonly rejectedAt: string | null;
  readonly rejectionAnswer: string | null;
  readonly rejectionAnswerCode: string | null;
}

/** Whether the provider has answered a test that began with this registration. */
const isAnswered = ({ testedAt, testAnsweredAt }: TestedRegistration, begun: TestedRegistration) =>
  testedAt !== null && testedAt !== begun.testedAt && testAnsweredAt !== null && testAnsweredAt >= testedAt;

/** Waits until the provider has answered. @param done what the command did before, for a fault. */
export const followRegistrationTest = (select: string, done = ''): Follow => ({
  field: { name: 'registration', select },
  seconds: 30,
  isKnown: isAnswered,
  findFault: (last: TestedRegistration, begun: TestedRegistration) => {
    if (!isAnswered(last, begun)) {
      return `${done}There is no answer after 30 seconds: what is shown is older. See whether a worker runs.`;
    }
    if (last.rejectedAt === null) return undefined;
    const answer = [last.rejectionAnswer?.replace('_', ' '), last.rejectionAnswerCode].filter((part) => part);
    return `${done}The provider refuses the client${answer.length > 0 ? `: ${answer.join(' ')}` : ''}.`;
  },
});
