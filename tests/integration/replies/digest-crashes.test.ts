import { expect, it } from 'vitest';
import { handler as digestJob } from '#functions/jobs/unanswered-digest.ts';
import { minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { newAccount, newMember } from '#tests/support/accounts.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { type Death, deathsOf, evenly, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { digestsTo, linkedIn, readList, sendDigests } from './digests.ts';

waitForNobody();

const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;
/** Two more than one mail lists. */
const customers = 22;

/** Creates an organization whose owner may be mailed, and whose admin was mailed ten minutes ago. */
async function newTeam() {
  const ada = await newAccount();
  const grace = await newMember(ada, 'ADMIN');
  const { organizationId } = ada;
  await write(
    change(keys.member(organizationId, grace.userId), {
      set: { digestedAt: timestamp(-10 * minuteMs) },
    }),
  );
  const stored = await Promise.all(
    Array.from({ length: customers }, () =>
      storeConversation(organizationId, {
        unansweredReason: 'NO_MATCH',
        unansweredSince: timestamp(),
        isUnattended: true,
      }),
    ),
  );

  return { ada, grace, organizationId, ids: stored.map(({ id }) => id) };
}

/** Crashes the job at this point, and runs it again until it finishes. */
async function survive(death: Death) {
  const team = await newTeam();
  const { writes } = await untilDeath(death, () => digestJob({}, lambdaContext(50_000)));
  await sendDigests();
  setClock(() => Date.now() + 2 * minuteMs);
  await runDueWork();
  for (const minutes of [6, 16, 22, 32, 60]) {
    await sendDigests(minutes);
  }
  const mails = await Promise.all([team.ada, team.grace].map(({ email }) => digestsTo(email)));

  return { ...team, writes, mails };
}

/** The digests are the first writes. All later writes are alike, so one of them is enough. */
function pointsOf(writes: number): readonly Death[] {
  const points = deathsOf(writes);

  return [...points.slice(0, 4), ...evenly(points.slice(4), depth(1, Number.POSITIVE_INFINITY))];
}

it('the digest lists each conversation once to each member, wherever the job crashes', async () => {
  const { writes } = await survive(never);
  for (const death of pointsOf(writes)) {
    const { mails, ids, organizationId } = await survive(death);
    const how = JSON.stringify(death);

    for (const own of mails) {
      expect
        .soft(
          own.map((mail) => linkedIn(mail).length),
          how,
        )
        .toEqual([20, 2]);
      expect.soft(own.flatMap(linkedIn).toSorted(), how).toEqual(ids.toSorted());
    }
    const { listed, expected } = await readList(organizationId, ids);
    expect.soft(listed, how).toEqual(expect.arrayContaining(expected));
  }
});
