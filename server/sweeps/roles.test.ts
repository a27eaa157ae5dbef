import { expect, test } from 'vitest'
import { ROLES } from '#contracts/constants.ts'
import { contentTypeOf, successOf } from '#contracts/lib/route.ts'
import { startPortal } from '#server/mock/testing.ts'
import { PERSON, signedIn, strayPath } from './test-people.ts'

const isStream = (each: (typeof signedIn)[number]) => contentTypeOf(successOf(each.route).schema) === 'text/event-stream'
const cells = signedIn.filter((each) => !isStream(each)).flatMap((each) => ROLES.map((role) => ({ ...each, role })))

test.each(cells)('R-6.1 $name for $role', async ({ route, role }) => {
  await using portal = await startPortal()
  const answer = await portal.call(PERSON[role], route.method, strayPath(route))
  expect(answer.status === 403, `${answer.status} ${JSON.stringify(answer.body)}`).toBe(!route.access.includes(role))
  expect(answer.status).toBeLessThan(500)
})
