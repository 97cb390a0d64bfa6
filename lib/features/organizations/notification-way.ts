import type { Membership } from '#lib/platform/identity/identity.ts';
import type { NotificationKind, NotificationWay } from '#schemas/organizations.ts';

/** Returns how the member is notified: their own choice, otherwise the default of their role. */
export function wayOf(member: Membership, kind: NotificationKind): NotificationWay {
  const { role, [`notify_${kind}` as const]: chosen } = member;

  return chosen ?? (isDefault(role, kind) ? 'MAIL' : 'OFF');
}

function isDefault(role: Membership['role'], kind: NotificationKind): boolean {
  return role === 'OWNER' || role === 'ADMIN' || (role === 'MEMBER' && kind === 'assigned');
}
