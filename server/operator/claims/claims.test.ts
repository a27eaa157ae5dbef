import { expect, test } from 'vitest'
import { careClaims } from '#db/schema/commerce.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'

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
