import { updateNotificationSettings } from '#lib/features/organizations/notification-settings.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.updateNotificationSettings,
  async ({ organizationId, caller, body }) => ({
    notificationSettings: await updateNotificationSettings(organizationId, caller.userId, body),
  }),
);
