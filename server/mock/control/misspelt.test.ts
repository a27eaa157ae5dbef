import { expect, test } from 'vitest'
import { findUpload, type Route } from '#contracts/lib/route.ts'
import { control } from '#contracts/mock/index.ts'
import { startPortal } from '#server/test/start-portal.ts'

const routes: Route[] = Object.values(control).flatMap((noun) => Object.values(noun))
const bodies = routes.flatMap(({ method, path, body }) => (body && !findUpload(body) ? [[method, path] as const] : []))
/** The one property without which the body of the endpoint is invalid anyway. */
const needed: Record<string, object> = { [control.faults.create.path]: { effect: 'empty' } }

test('every endpoint of the control plane rejects an unknown field', async () => {
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
