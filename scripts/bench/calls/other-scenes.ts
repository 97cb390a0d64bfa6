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

/** The event for a worker after `cause` has run. Earlier messages are removed first. */
async function messageOf(world: World, worker: string, cause: () => Promise<unknown>) {
  await world.queues.drain();
  await cause();

  return world.queues.takeEvent(worker);
}

/** The cleanup work of a signup that crashed before it created a customer. */
async function abandonSignUp(): Promise<void> {
  const attemptId = newId();
  const work = planWork('signupCleanup', {
    owner: keys.signupAttempt(attemptId),
    workId: attemptId,
    payload: { attemptId, email: 'ada@example.com' },
  });
  await write(work);
}

/** Functions that are not endpoints of an area: docs, workers and jobs. */
export const otherScenes: Readonly<Record<string, Scene>> = {
  // Nothing is due. The job runs every minute and usually finds nothing.
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
