/** What an API token may be allowed to do. Calls without a scope are closed to tokens. */
export const SCOPES = [
  'trackers:read',
  'trackers:write',
  'positions:read',
  'positions:write',
  'alerts:read',
  'alerts:write',
  'places:read',
  'places:write',
  'contacts:read',
  'contacts:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** Prefix of every API token, so that secret scanners find leaked ones. */
export const API_TOKEN_PREFIX = 'wat_'

/** Scopes of calls about single trackers. The others concern the whole account, so a token for some of its trackers cannot have them. */
export const TRACKER_SCOPES: readonly Scope[] = ['trackers:read', 'trackers:write', 'positions:read', 'positions:write', 'alerts:read']
