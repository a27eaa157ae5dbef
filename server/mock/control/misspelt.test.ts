import { expect, test } from 'vitest'
import type { Route } from '#contracts/lib/route.ts'
import { control } from '#contracts/mock/index.ts'
import { startPortal } from '#server/test/start-portal.ts'

const routes: Route[] = Object.values(control).flatMap((noun) => Object.values(noun))
const bodies = routes.flatMap(({ method, path, body }) => (body && path !== control.snapshots.add.path ? [[method, path] as const] : []))
/** Without an effect a fault is none, whatever else it says. */
const needed: Record<string, object> = { [control.faults.create.path]: { effect: 'empty' } }

test('a field that is misspelt is refused by every call of the control plane: nothing is done that was not meant', async () => {
  await using portal = await startPortal()
  expect(bodies.length).toBeGreaterThan(20)
  for (const [method, path] of bodies) {
    const url = path.replace(':type', 'places').replace(':id', '1')
    const answer = await portal.call(null, method, url, { ...needed[path], sceanrio: 'pro' })
    expect([path, answer.status, answer.body.errors]).toEqual([
      path,
      400,
      expect.objectContaining({ body: ['Unrecognized key: "sceanrio"'] }),
    ])
  }
  expect((await portal.call(null, 'GET', '/mock/mail?template=payment_failled')).body.errors).toHaveProperty('template')
})
