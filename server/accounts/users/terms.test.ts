import { expect, test } from 'vitest'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'

const PERSON = { email: 'nina@example.com', password: 'correct horse battery', first_name: 'Nina', last_name: 'Novak' }
const { email: alice } = getPersona('alice')

test('the sign-up stores the accepted version of the terms with the time', async () => {
  await using portal = await startPortal({ termsVersion: 'v1' })
  const { status } = await portal.call(null, 'POST', '/users/register', { ...PERSON, accepted_terms: 'v1' })
  expect(status).toBe(201)
  expect((await portal.call(PERSON.email, 'GET', '/users/terms/')).body).toEqual({
    version: 'v1',
    accepted_version: 'v1',
    accepted_at: portal.clock.now().toISOString().replace('.000', ''),
  })
})

test('the sign-up works without the field, as documented', async () => {
  await using portal = await startPortal({ termsVersion: 'v1' })
  expect((await portal.call(null, 'POST', '/users/register', PERSON)).status).toBe(201)
  expect((await portal.call(PERSON.email, 'GET', '/users/terms/')).body).toMatchObject({ accepted_version: null, accepted_at: null })
})

test('accepting a version that is not in force is refused with the field', async () => {
  await using portal = await startPortal({ termsVersion: 'v2' })
  const signUp = await portal.call(null, 'POST', '/users/register', { ...PERSON, accepted_terms: 'v1' })
  expect(signUp).toMatchObject({ status: 400, body: { errors: { accepted_terms: ['is not the version of the terms in force'] } } })
  const later = await portal.call(alice, 'PUT', '/users/terms/', { version: 'v1' })
  expect(later).toMatchObject({ status: 400, body: { errors: { version: ['is not the version of the terms in force'] } } })
})

test('a new version is accepted once, and everything else works before that', async () => {
  await using portal = await startPortal({ termsVersion: 'v1' })
  await portal.call(alice, 'PUT', '/users/terms/', { version: 'v1' })
  const first = (await portal.call(alice, 'GET', '/users/terms/')).body.accepted_at
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 3_600_000) })
  expect((await portal.call(alice, 'PUT', '/users/terms/', { version: 'v1' })).body.accepted_at).toBe(first)
  portal.world.termsVersion = 'v2'
  expect((await portal.call(alice, 'GET', '/users/terms/')).body).toMatchObject({ version: 'v2', accepted_version: 'v1' })
  expect((await portal.call(alice, 'GET', '/devices/?type=tracker')).status).toBe(200)
  expect((await portal.call(alice, 'PUT', '/users/terms/', { version: 'v2' })).body).toMatchObject({ accepted_version: 'v2' })
})

test('without terms there is nothing to accept', async () => {
  await using portal = await startPortal({ termsVersion: null })
  expect((await portal.call(alice, 'GET', '/users/terms/')).body).toMatchObject({ version: null })
  expect((await portal.call(alice, 'PUT', '/users/terms/', { version: 'v1' })).status).toBe(400)
})
