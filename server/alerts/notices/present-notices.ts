import type { FiringNotice } from '#contracts/firings.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { NoticeLine } from '#db/schema/places.ts'
import type { Viewer } from '#db/scope.ts'
import { type ResolvedLine, shortenAddress } from './resolve-notices.ts'

/** The owner sees addresses and labels in full; others only those of their own channels and browsers. */
export const presentNotices = (lines: readonly ResolvedLine[], viewer: Pick<Viewer, 'role' | 'userId'>): FiringNotice[] =>
  lines.map((line) => ({
    way: line.way,
    to: presentRecipient(line, viewer),
    state: line.state,
    at: line.at === undefined ? null : formatInstant(new Date(line.at)),
    reason: line.reason ?? null,
    ...(line.status !== undefined && { status: line.status }),
  }))

function presentRecipient({ way, to, user }: NoticeLine, { role, userId }: Pick<Viewer, 'role' | 'userId'>) {
  if (to === undefined) return null
  if (role === 'user' || role === 'admin' || user === userId) return to
  return way === 'email' ? shortenAddress(to) : null
}
