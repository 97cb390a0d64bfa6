import { keys } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { forgotPassword } from '#schemas/auth.ts';
import { getDocs, getDocsAsset, getOpenapi } from '#schemas/docs.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { gatewayEvent } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import type { World } from './world.ts';

/** The message that is put into a worker's queue by something, and by nothing else. */
async function messageOf(world: World, worker: string, cause: () => Promise<unknown>) {
  await world.queues.drain();
  await cause();

  return world.queues.takeEvent(worker);
}

/** What a signup leaves that dies before it has asked for a customer. */
async function abandonSignUp(): Promise<void> {
  const attemptId = newId();
  const work = planWork('signupCleanup', {
    owner: keys.signupAttempt(attemptId),
    workId: attemptId,
    payload: { attemptId, email: 'ada@example.com' },
  });
  await write(work);
}

/** Of what is no endpoint of an area: the docs, the workers and the jobs. */
export const otherScenes: Readonly<Record<string, Scene>> = {
  // With nothing due: it runs every minute, and mostly finds nothing.
  'due-work': async () => ({}),
  'get-openapi': callOf(getOpenapi, () => ({})),
  'get-docs': callOf(getDocs, () => ({})),
  'get-docs-asset': callOf(getDocsAsset, () => ({ params: { asset: 'start.js' } })),
  'unknown-route': async () => gatewayEvent({ method: 'GET', path: '/nowhere' }),
  'mail-delivery': async (world) => {
    const { email } = await world.newAccount();

    return messageOf(world, 'mail-delivery', () => world.call(forgotPassword, { body: { email } }));
  },
  'organization-removal': async (world) => {
    const { token, organizationId } = await world.newAccount();
    const params = { organization_id: organizationId };

    return messageOf(world, 'organization-removal', () =>
      world.call(deleteOrganization, { token, params }),
    );
  },
  'signup-cleanup': (world) => messageOf(world, 'signup-cleanup', abandonSignUp),
};
