/** All scopes that the service's app may use. */
export const memberScopes = [
  'openid',
  'profile',
  'w_member_social',
  'w_organization_social',
  'r_organization_social',
  'rw_organization_admin',
] as const;
