/** All scopes that the service's app may use. */
export const pageScopes = [
  'pages_show_list',
  'pages_manage_posts',
  'pages_read_engagement',
  'pages_read_user_content',
  'pages_manage_engagement',
  'pages_manage_metadata',
  'pages_messaging',
  'read_insights',
  'business_management',
  'leads_retrieval',
] as const;
