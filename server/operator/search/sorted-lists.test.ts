import { expect, test } from 'vitest'
import { CARE_STATUSES } from '#contracts/billing/care-claims.ts'
import { CLAIM_SORTS } from '#contracts/operator/claims.ts'
import { BATCH_SORTS, CODE_SORTS } from '#contracts/operator/codes.ts'
import { DEED_SORTS } from '#contracts/operator/deeds.ts'
import { REQUEST_SORTS, REQUEST_STATUSES } from '#contracts/operator/requests.ts'
import { listSorts } from '#contracts/operator/sorting.ts'
import { verificationCodes } from '#db/schema/commerce.ts'
import { careClaims } from '#db/schema/returns.ts'
import { codeBatches, deeds } from '#db/schema/staff.ts'
import { selectDeeds } from '#server/deeds/deeds.store.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { selectClaims } from '#server/operator/claims/claims.store.ts'
import { selectBatches, selectCodes } from '#server/operator/codes/codes.store.ts'
import { selectRequestPage } from '#server/operator/requests/requests.store.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { explainQueries, openTestDb } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Row = Record<'id' | 'months' | 'extra' | 'count', number> & Record<'who' | 'name' | 'code' | 'mailed_to', string>

/** Texts of which many are equal, some contain what separates the end of a page, and most differ from their order of insertion. */
const wordOf = (n: number) => `w_${String((n * 7) % 30).padStart(2, '0')}`

const fill = ({ world, clock }: Portal) =>
  world.db.write('everything', async (tx) => {
    const at = clock.now()
    for (let n = 0; n < 120; n++) {
      const deed = { at, actor: 'staff:1', who: wordOf(n), kind: 'key_ended', subject: 'Shop', detail: {} } as const
      await tx.insert(deeds).values({ ...deed, accountId: null, repeatKey: null, requestHash: null, response: null })
      const batch = { name: wordOf(n), priceId: null, months: n % 12, extra: n % 3, count: n % 9, createdAt: at, createdBy: 'Nora' }
      await tx.insert(codeBatches).values({ ...batch, endsAt: null })
      await tx
        .insert(verificationCodes)
        .values({ code: `ZZ${10_000 + n}`, months: (n * 7) % 24, extra: n % 2, mailedTo: `${wordOf(n)}@shop.example` })
      const claim = { reason: 'lost', description: 'In the river', status: 'withdrawn', createdAt: at, closedAt: at } as const
      await tx.insert(careClaims).values({ ...claim, deviceId: SEED.devices.rex })
    }
  })

const LISTS = [
  { path: 'deeds/', list: 'deeds', sort: 'who', from: 'before', valueOf: ({ who }: Row) => who },
  { path: 'deeds/?kind=key_ended', list: 'deeds', sort: 'who', from: 'before', valueOf: ({ who }: Row) => who },
  { path: 'deeds/', list: 'deeds', sort: 'when', from: 'before', valueOf: ({ id }: Row) => id },
  { path: 'codes/batches/', list: 'batches', sort: 'name', from: 'before', valueOf: ({ name }: Row) => name },
  { path: 'codes/batches/', list: 'batches', sort: 'made', from: 'before', valueOf: ({ id }: Row) => id },
  {
    path: 'codes/batches/',
    list: 'batches',
    sort: 'months',
    from: 'before',
    valueOf: ({ months, extra }: Row) => months + extra,
  },
  { path: 'codes/batches/', list: 'batches', sort: 'count', from: 'before', valueOf: ({ count }: Row) => count },
  { path: 'codes/', list: 'codes', sort: 'months', from: 'after', valueOf: ({ months, extra }: Row) => months + extra },
  { path: 'codes/?mailed=true', list: 'codes', sort: 'address', from: 'after', valueOf: ({ mailed_to }: Row) => mailed_to },
  { path: 'codes/', list: 'codes', sort: 'code', from: 'after', valueOf: ({ code }: Row) => code },
  { path: 'claims/', list: 'claims', sort: 'date', from: 'before', valueOf: ({ id }: Row) => id },
] as const

test('the log, codes, their batches and care claims are sorted by each column, and each page begins where the one before has ended', async () => {
  await using portal = await startPortal()
  const nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'admin' })
  await fill(portal)
  const readAll = async ({ path, list, from }: (typeof LISTS)[number], sort: string) => {
    const seen: Row[] = []
    for (let end = ''; end !== 'end'; ) {
      const query = new URLSearchParams({ sort, ...(end && { [from]: end }) })
      const { body } = await portal.call(null, 'GET', `/operator/api/${path}${path.includes('?') ? '&' : '?'}${query}`, undefined, nora)
      seen.push(...body[list])
      end = body.next ?? 'end'
    }
    return seen
  }
  for (const each of LISTS) {
    const up = await readAll(each, each.sort)
    const values = up.map<string | number>(each.valueOf)
    expect(values.length).toBeGreaterThanOrEqual(120)
    expect(values).toEqual(values.toSorted((a, b) => (a < b ? -1 : Number(a > b))))
    expect(new Set(up.map(({ id, code }) => id ?? code)).size).toBe(up.length)
    expect(await readAll(each, `-${each.sort}`)).toEqual(up.toReversed())
  }
})

test('a page that ends in another order is refused', async () => {
  await using portal = await startPortal()
  const nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'admin' })
  const call = (path: string) => portal.call(null, 'GET', `/operator/api/${path}`, undefined, nora)
  expect((await call('codes/?sort=months&after=kim@example.com_ZZ10000')).status).toBe(400)
  expect((await call('codes/batches/?sort=count&before=Boxes_4')).status).toBe(400)
})

test('each page of these lists, with each filter, is read in its order and not sorted', async () => {
  const db = await openTestDb('family')
  const [before, now] = [{ value: '12', key: '9' }, new Date()]
  const plans = await explainQueries(db, [
    ...listSorts(DEED_SORTS).flatMap((sort) => [
      selectDeeds(db.read, { sort }, 50),
      selectDeeds(db.read, { sort, before }, 50),
      selectDeeds(db.read, { sort, before, kind: 'price_set' }, 50),
    ]),
    ...listSorts(BATCH_SORTS).flatMap((sort) => [selectBatches(db.read, { sort }, 50), selectBatches(db.read, { sort, before }, 50)]),
    ...listSorts(CODE_SORTS).flatMap((sort) => [
      selectCodes(db.read, { sort, now }, 50),
      selectCodes(db.read, { sort, now, after: before }, 50),
      selectCodes(db.read, { sort, now, after: before, mailed: true }, 50),
    ]),
    ...listSorts(REQUEST_SORTS).flatMap((sort) => [
      selectRequestPage(db.read, { sort }, 50),
      ...REQUEST_STATUSES.map((status) => selectRequestPage(db.read, { sort, status, after: before }, 50)),
    ]),
    ...listSorts(CLAIM_SORTS).flatMap((sort) => [
      selectClaims(db.read, { sort }, 50),
      selectClaims(db.read, { sort, before }, 50),
      ...CARE_STATUSES.map((status) => selectClaims(db.read, { sort, status, before }, 50)),
    ]),
  ])
  // The few reports of theft are read once for all requests of a page.
  expect(plans.filter((plan) => /USE TEMP B-TREE|Sort|Seq Scan (?!on theft_reports)/.test(plan))).toEqual([])
  await db.close()
})
