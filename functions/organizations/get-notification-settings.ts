import { getNotificationSettings } from '#lib/features/organizations/notification-settings.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.getNotificationSettings,
  async ({ organizationId, caller }) => ({
    notificationSettings: await getNotificationSettings(organizationId, caller.userId),
  }),
);
