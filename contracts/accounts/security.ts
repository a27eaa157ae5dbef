import * as z from 'zod/mini'
import { openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { SECURITY_KINDS } from '#contracts/lib/security-kinds.ts'
import { Ended } from './sessions.ts'

const Instant = z.iso.datetime()

/** Identifies a session without revealing its token. */
const SessionId = z.string().check(z.regex(/^[0-9a-f]{16}$/))

export const OpenSession = z.object({
  id: z.string(),
  created_at: Instant,
  /** Time of the last use, to within ten minutes. */
  last_seen_at: Instant,
  /** Browser and system, such as `Firefox, Windows`; null when unknown. */
  agent: z.nullable(z.string()),
  /** The network it was started from, such as `203.0.113.0/24`; null when unknown. */
  place: z.nullable(z.string()),
  /** Whether this is the session of the request itself. */
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof OpenSession>

export const SecurityEntry = z.object({
  at: Instant,
  kind: openEnum(SECURITY_KINDS),
  /** The user who caused the event; null without a session, such as for a wrong password. */
  who: z.nullable(z.string()),
  /** Network of the request, such as `203.0.113.0/24`; null when unknown. */
  where: z.nullable(z.string()),
  /** The subject of the event, such as the name of a tracker. */
  about: z.nullable(z.string()),
})
export type SecurityEntry = z.infer<typeof SecurityEntry>

export const security = {
  log: {
    method: 'GET',
    path: '/users/security_log/',
    summary: 'Returns a page of what happened to the account, the newest first; `next` is the `before` of the next page',
    access: rights.ownProfile,
    query: z.object({ before: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) }),
    response: { 200: z.object({ entries: z.array(SecurityEntry), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
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
    response: { 200: Ended },
    safety: 'destructive',
    provenance: 'ours',
  },
  endSession: {
    method: 'DELETE',
    path: '/users/sessions/:session/',
    summary: 'Ends one session of the user',
    access: rights.ownProfile,
    params: z.object({ session: SessionId }),
    response: { 200: Ended },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
