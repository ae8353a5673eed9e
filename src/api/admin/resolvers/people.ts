import { identifySubject } from '../../../domain/disconnecting/start-subject-erasure.ts';
import { namePeople } from '../../../domain/rules/audit-names.ts';
import { countSubjectJobs, findErasureOfScope, listDisconnectedOfScope } from '../../../store/erasures/erasures.ts';
import { describePerson, listTenantKeys } from '../../../store/people.ts';
import type { Queries } from '../contract.ts';
import { requireApp } from './lookups.ts';

export const Query = {
  person: async ({ input }, context) => {
    const { mac, sql, showed } = context;
    await requireApp(context, input.appId);
    showed(namePeople(mac, input));
    const { scopeMacs } = identifySubject(mac, input.appId, undefined, input);
    const [known, erasure, { jobs }, disconnected] = await Promise.all([
      describePerson(sql, input),
      findErasureOfScope(sql, scopeMacs),
      countSubjectJobs(sql, { scopeId: undefined, scopeMacs }),
      listDisconnectedOfScope(sql, scopeMacs),
    ]);
    // A revoke may outlive the last of its person's rows, and keep tokens.
    const isHeld = known.isHeld || jobs > 0;
    return {
      ...known,
      isHeld,
      erasureId: erasure?.erasureId ?? null,
      erasureRequestedAt: erasure?.requestedAt ?? null,
      disconnected,
    };
  },

  tenantKeys: async ({ appId, search, first }, context) => {
    await requireApp(context, appId);
    return await listTenantKeys(context.sql, appId, search ?? '', first);
  },
} satisfies Partial<Queries>;
