import { expect, test } from 'vitest'
import { ROLES } from '#contracts/lib/constants.ts'
import { contentTypeOf, successOf } from '#contracts/lib/route.ts'
import { PERSON, type SignedInRoute, signedIn, strayPath } from './test-people.ts'
import { onePortal } from './test-portal.ts'

const isStream = ({ route }: SignedInRoute) => contentTypeOf(successOf(route).schema) === 'text/event-stream'
const cells = signedIn.filter((each) => !isStream(each)).flatMap((each) => ROLES.map((role) => ({ ...each, role })))
const portal = onePortal()

test.each(cells)('R-6.1 $name is allowed or forbidden to $role as the contract says', async ({ route, role }) => {
  const answer = await portal.call(PERSON[role], route.method, strayPath(route))
  expect(answer.status === 403, `${answer.status} ${JSON.stringify(answer.body)}`).toBe(!route.access.includes(role))
  expect(answer.status).toBeLessThan(500)
})
