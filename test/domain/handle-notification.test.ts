import { expect, test } from 'vitest';
import type { CorrelationId } from '../../src/basics/ids.ts';
import { handleNotification, type NotificationDeps } from '../../src/domain/disconnecting/handle-notification.ts';
import type { CallbackRegistration } from '../../src/store/erasures/platform-callbacks.ts';

test('a notice that does not concern us changes nothing, and needs no database', async () => {
  const [deps, callee] = [{} as NotificationDeps, {} as CallbackRegistration];
  const handled = await handleNotification(deps, callee, { kind: 'unrelated' }, '' as CorrelationId);
  expect(handled).toEqual({ outcome: 'NOTHING', count: 0 });
});
