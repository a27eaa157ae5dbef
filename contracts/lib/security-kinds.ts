/** What the security log records. */
export const SECURITY_KINDS = [
  'sign_in',
  'sign_in_refused',
  'session_ended',
  'password_changed',
  'email_changed',
  'key_added',
  'key_removed',
  'link_added',
  'link_removed',
  'member_added',
  'member_changed',
  'member_removed',
  'positions_read',
] as const
export type SecurityKind = (typeof SECURITY_KINDS)[number]
