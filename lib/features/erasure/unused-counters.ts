import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadFacets, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { queryPages } from '#lib/platform/db/read.ts';
import { remove } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { ErasureProgress, PersonScope } from './person-scope.ts';

const atOnce = 8;

type Counter = Key & { readonly total?: number };

/**
 * Erases the counters of tags, sources and campaigns without leads, because their names can contain
 * personal data.
 */
export async function eraseUnusedCounters(
  { organizationId }: PersonScope,
  { stopInTime }: ErasureProgress,
): Promise<void> {
  const counters = [
    leadRanges.leadTagCounters(organizationId),
    ...leadFacets.map((facet) => leadRanges.facetCounters(organizationId, facet)),
  ];
  for (const range of counters) {
    for await (const page of queryPages<Counter>(range, { attributes: ['pk', 'sk', 'total'] })) {
      stopInTime();
      const unused = page.filter(({ total }) => total === 0);
      // Since the read, a lead may have got the value again.
      await atMostAtOnce(atOnce, unused, (counter) =>
        writeIfMet(remove(counter, { when: equals('total', 0) })),
      );
    }
  }
}
