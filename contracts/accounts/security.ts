import * as z from 'zod/mini'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, nothing } from '#contracts/lib/route.ts'

const Instant = z.iso.datetime()

/** Names a session without revealing its token. */
export const SessionId = z.string().check(z.regex(/^[0-9a-f]{16}$/))

export const OpenSession = z.object({
  id: z.string(),
  created_at: Instant,
  /** To within ten minutes. */
  last_seen_at: Instant,
  /** Browser and system, such as `Firefox, Windows`; null when unknown. */
  agent: z.nullable(z.string()),
  /** The network it was started from, such as `203.0.113.0/24`; null when unknown. */
  place: z.nullable(z.string()),
  /** Whether it is the session of this request. */
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof OpenSession>

export const security = {
  listSessions: {
    method: 'GET',
    path: '/users/sessions/',
    summary: 'Lists the open sessions of the user, the last used first',
    access: rights.ownProfile,
    response: { 200: z.array(OpenSession) },
    safety: 'read',
    provenance: 'ours',
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/users/sessions/',
    summary: 'Ends every session of the user but that of the request',
    access: rights.ownProfile,
    response: { 204: nothing },
    safety: 'destructive',
    provenance: 'ours',
  },
  endSession: {
    method: 'DELETE',
    path: '/users/sessions/:session/',
    summary: 'Ends one session of the user',
    access: rights.ownProfile,
    params: z.object({ session: SessionId }),
    response: { 204: nothing },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
