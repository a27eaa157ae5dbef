/** What the security log records. */
export const SECURITY_KINDS = [
  'sign_in',
  'sign_in_refused',
  'session_ended',
  'password_changed',
  'email_changed',
  'app_added',
  'app_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_renewed',
  'recovery_code_used',
  'factor_refused',
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
