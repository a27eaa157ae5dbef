import { expect, test } from 'vitest'
import { CSRF_HEADER } from '#contracts/lib/constants.ts'
import { PERSON, signedIn, strayPath } from './test-people.ts'
import { onePortal } from './test-portal.ts'

const portal = onePortal()

test.each(signedIn)('R-6.8 $name answers 401 without a valid token', async ({ route }) => {
  for (const authorization of ['', 'Bearer 0000', 'Basic abc']) {
    const answer = await portal.call(null, route.method, strayPath(route), undefined, { authorization })
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
  }
})

test.each(signedIn.filter(({ route }) => route.method !== 'GET'))(
  '$name with only the session cookie needs the CSRF header',
  async ({ route }) => {
    const cookie = `sessionid=${await portal.token(PERSON.user)}; csrftoken=abc`
    for (const header of [{}, { [CSRF_HEADER]: 'abd' }] as Record<string, string>[]) {
      const answer = await portal.call(null, route.method, strayPath(route), undefined, { cookie, ...header })
      expect(answer).toMatchObject({ status: 403, body: { code: 'csrf_failed' } })
    }
  },
)

test('a device with a wrong key is answered 401', async () => {
  const message = { identifier: '1000000001', positions: [] }
  const answer = await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': 'wrong' })
  expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_device_key' } })
})
