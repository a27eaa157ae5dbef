import { expect, test } from 'vitest'
import { contentTypeOf, successOf } from '#contracts/lib/route.ts'
import { routes } from '#server/test/examples/all.ts'
import { strayPath } from './test-people.ts'
import { onePortal } from './test-portal.ts'

const ending = routes.filter(({ route }) => contentTypeOf(successOf(route).schema) !== 'text/event-stream')
const portal = onePortal()

test.each(ending)('R-7.12 $name answers alike with and without the trailing slash', async ({ route }) => {
  const bare = strayPath(route).replace(/\/$/, '')
  const [one, other] = [
    await portal.call('dario@example.com', route.method, bare),
    await portal.call('dario@example.com', route.method, `${bare}/`),
  ]
  expect(one.status).toBe(other.status)
  expect([301, 302, 307, 308]).not.toContain(one.status)
})
