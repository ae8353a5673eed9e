import { test as plainTest } from 'vitest';
import { answerWith, hang, openReceiver } from '../kit/webhook-receiver.ts';

type Answer = ReturnType<typeof answerWith>;

export const answers = {
  json: (body: unknown, status = 200): Answer =>
    answerWith(status, { 'content-type': 'application/json' }, JSON.stringify(body)),
  error: (code: string, extensions: object = {}, status = 200): Answer =>
    answers.json(
      { errors: [{ message: `Refused with ${code}.`, extensions: { code, ...extensions } }], data: null },
      status,
    ),
  text: (text: string, status: number): Answer => answerWith(status, { 'content-type': 'text/html' }, text),
  cut: ((response) => void response.destroy()) satisfies Answer,
  never: hang,
  redirect: (to: string): Answer => answerWith(307, { location: to }),
};

/** An HTTP server that gives one scripted answer after another, and records the requests. */
async function openService() {
  const receiver = await openReceiver();
  /** The requests so far: their headers and their JSON bodies. */
  const requests: { headers: Readonly<Record<string, string>>; body: { query: string; variables: object } }[] = [];
  const scripted: Answer[] = [];
  receiver.answer((response, received) => {
    requests.push({ headers: received.headers, body: JSON.parse(received.body) });
    const answer = scripted.shift() ?? answers.text('Nothing is scripted for this request.', 500);
    return answer(response, received);
  });
  return {
    url: new URL('/graphql', receiver.url).href,
    requests,
    /** The answers to the next requests, in order. */
    script: (...more: readonly Answer[]) => void scripted.push(...more),
    close: receiver.close,
  };
}

export const test = plainTest.extend<{ service: Awaited<ReturnType<typeof openService>> }>({
  service: async ({}, use) => {
    const service = await openService();
    await use(service);
    await service.close();
  },
});
