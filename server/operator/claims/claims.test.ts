import { expect, test } from 'vitest'
import { careClaims } from '#db/schema/returns.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { operateClaims } from './claims-command.ts'

const CLAIM = { reason: 'lost', description: 'In the river', delivery: 'Alice\nEllauri 350' } as const
const { familyCar, rex, misty } = SEED.devices

test('support lists the claims of care plans of all accounts with owner and address, the newest first, and by state', async () => {
  await using portal = await startPortal()
  const hana = await signInStaffAs(portal.world, { email: 'hana@shop.example', name: 'Hana Help', role: 'support' })
  const list = async (query = '') => (await portal.call(null, 'GET', `/operator/api/claims/${query}`, undefined, hana)).body
  expect(await list()).toEqual({ claims: [], next: null })
  expect((await portal.call('alice@example.com', 'POST', `/devices/${familyCar}/care_claim/`, CLAIM)).status).toBe(201)
  const [claim] = (await list('?status=open')).claims
  expect(claim).toMatchObject({ ...CLAIM, device: familyCar, tracker: 'Family car', status: 'open', order: null })
  expect(claim.customer).toMatchObject({ email: 'alice@example.com', name: 'Alice Almeida' })
  expect((await list('?status=ordered')).claims).toEqual([])
})

test('a long list of claims comes page by page, in which each claim stands once', async () => {
  await using portal = await startPortal()
  const fay = await signInStaffAs(portal.world, { email: 'fay@shop.example', name: 'Fay', role: 'finance' })
  const row = { ...CLAIM, status: 'withdrawn', createdAt: portal.clock.now(), closedAt: portal.clock.now() } as const
  const rows = Array.from({ length: 120 }, (_, index) => ({ ...row, deviceId: index % 2 ? rex : misty }))
  await portal.world.db.write('everything', (tx) => tx.insert(careClaims).values(rows))
  const seen: number[] = []
  for (let before = ''; before !== 'end'; ) {
    const { body } = await portal.call(null, 'GET', `/operator/api/claims/${before && `?before=${before}`}`, undefined, fay)
    seen.push(...body.claims.map(({ id }: { id: number }) => id))
    before = body.next ?? 'end'
  }
  expect(seen).toHaveLength(120)
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a))
})

test('support finds claims by tracker, owner and order, also within a state; the program prints the same', async () => {
  await using portal = await startPortal()
  const { world } = portal
  const hana = await signInStaffAs(world, { email: 'hana@shop.example', name: 'Hana Help', role: 'support' })
  const at = portal.clock.now()
  const paid = { ...CLAIM, status: 'ordered', createdAt: at, closedAt: at } as const
  await world.db.write('everything', async (tx) => {
    await tx.insert(careClaims).values({ ...paid, deviceId: rex, orderReference: 'ORD-1003' })
    await tx.insert(careClaims).values({ ...paid, deviceId: misty, status: 'withdrawn' })
  })
  const find = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await portal.call(null, 'GET', `/operator/api/claims/?${new URLSearchParams(query)}`, undefined, hana)
    return body.claims.map(({ tracker }: { tracker: string }) => tracker)
  }
  expect(await find({ search: ' rex ' })).toEqual(['Rex'])
  expect(await find({ search: 'ORD-1003' })).toEqual(['Rex'])
  expect(await find({ search: '1003' })).toContain('Rex')
  expect(await find({ search: 'alice@' })).toEqual(['Misty', 'Rex'])
  expect(await find({ search: 'Almeida', status: 'withdrawn' })).toEqual(['Misty'])
  expect(await find({ search: 'george@' })).toEqual([])
  expect(await find({ sort: 'date' })).toEqual(['Rex', 'Misty'])

  const run = async (...args: string[]) => {
    const lines: { tracker: string }[] = []
    const isDone = await operateClaims({ db: world.db, print: (line) => void lines.push(JSON.parse(line)) }, args)
    return isDone && lines.map(({ tracker }) => tracker)
  }
  expect(await run('list')).toEqual(['Misty', 'Rex'])
  expect(await run('list', 'ordered')).toEqual(['Rex'])
  expect(await run('list', '--search=misty')).toEqual(['Misty'])
  expect(await run('list', 'paid')).toBe(false)
})
