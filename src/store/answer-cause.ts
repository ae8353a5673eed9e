/** What came back of a failed request. */
export interface AnswerCause {
  /** `HTTP_` and the status, the code of a request without a complete answer, or REDIRECT; null if no request was sent. */
  readonly answer: string | null;
  /** The platform's own error codes, joined by slashes. Null without one. */
  readonly code: string | null;
}

const ANSWER = /^[A-Z][A-Z0-9_]{0,39}$/;
const CODES = /^[A-Za-z0-9_. /-]{1,200}$/;

/** The platform chooses the texts: others than codes of bounded length are not stored. */
export const boundCause = ({ answer, code }: AnswerCause): AnswerCause => ({
  answer: answer !== null && ANSWER.test(answer) ? answer : null,
  code: code !== null && CODES.test(code) ? code : null,
});
