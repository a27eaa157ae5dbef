import { expect, test } from 'vitest'
import { api } from '#contracts/index.ts'
import { type Contract, findContentType, findUpload, getSuccess, type Route } from '#contracts/lib/route.ts'
import { enterGate } from '#server/http/access/fair-gate.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryRows } from '#server/test/test-database.ts'

const ALICE = 'alice@example.com'

const routes = Object.values(api as Record<string, Contract>).flatMap((contract) => Object.values(contract))
const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** A page of a history reads several fixes at once, in one query each. */
const CHEAP_FILES = ['GET /devices/:id/tracker_data/track/']

test('every call that accepts or creates a file is marked as costly', () => {
  const isFile = (route: Route) => {
    const type = findContentType(getSuccess(route).schema)
    return findUpload(route.body) !== undefined || (type !== undefined && type !== 'text/event-stream')
  }
  const unmarked = routes.filter((route) => isFile(route) && !route.costly).map(nameOf)
  expect(unmarked).toEqual(CHEAP_FILES)
})

test('D-53 every costly call is refused with 429 and Retry-After before its body is read while the account has three of them', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  const [alice] = await queryRows(db, `select account_id as account from users where email = '${ALICE}'`)
  const account = `account ${(alice as { account: number }).account}`
  const places = [1, 2, 3].map(() => enterGate(db, account))
  const costly = routes.filter((route) => route.costly)
  const failures = await collectFailures(costly, nameOf, async (route) => {
    const upload = findUpload(route.body)
    const url = route.path.replace(/:\w+/g, '1')
    const answer = await portal.call(ALICE, route.method, url, upload && Buffer.from('x'), upload && { 'content-type': upload.contentType })
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([429, 'account_busy', '10'])
  })
  for (const { leave } of places.toReversed()) leave()
  expect(failures).toEqual([])
  expect((await portal.call(ALICE, 'GET', '/devices/1/theft_form/')).status).toBe(200)
})
