import { and, eq, or, type SQL } from 'drizzle-orm'
import type { CareStatus } from '#contracts/billing/care-claims.ts'
import type { ClaimSort } from '#contracts/operator/claims.ts'
import type { DbReader } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { careClaims } from '#db/schema/returns.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'
import { findTrackers } from '#server/operator/trackers/trackers.store.ts'

export type ClaimFilter = {
  status?: CareStatus | undefined
  search?: string | undefined
  sort?: ClaimSort | undefined
  before?: PageEnd | undefined
}

export async function listClaimsOfAll(db: DbReader, { search, ...filter }: ClaimFilter, limit: number) {
  return selectClaims(db, filter, limit, search ? await findMatches(db, search) : undefined)
}

const SORTED = { date: { value: careClaims.id, isNumber: true, isUnique: true } } as const

/** The query of a page of the claims of all accounts, by default the newest first. */
export function selectClaims(db: DbReader, { status, sort = '-date', before }: Omit<ClaimFilter, 'search'>, limit: number, match?: SQL) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: careClaims.id, isNumberKey: true, sort, after: before })
  return db
    .select({ claim: careClaims, tracker: devices.name, accountId: devices.accountId })
    .from(careClaims)
    .innerJoin(devices, eq(devices.id, careClaims.deviceId))
    .where(and(status && eq(careClaims.status, status), match, begin))
    .orderBy(...orderBy)
    .limit(limit)
}

/** The order of a claim, or what finds trackers: name, identifier, S/N, and their owner. */
async function findMatches(db: DbReader, text: string) {
  const [, prefix, digits] = /^(ORD-?)?(\d+)$/.exec(text.toUpperCase().replace(/\s/g, '')) ?? []
  const isOrdered = digits === undefined ? undefined : eq(careClaims.orderReference, `ORD-${digits}`)
  return prefix ? isOrdered : or(isOrdered, await findTrackers(db, text))
}
