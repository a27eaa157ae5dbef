import { describe, expect, test } from 'vitest'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { requireGoodPassword } from './easy-passwords.ts'

const owner = { email: 'alice.moreau@example.com', username: 'amoreau', firstName: 'Alice', lastName: 'Moreau' }
const portal = { productName: 'Whereabouts', origin: 'https://trackers.example.org' }
const check = (password: string) => () => requireGoodPassword('password', password, owner, portal)

test('common passwords and those made of the owner’s own words, or of the name or host of the portal, are refused', async () => {
  const rows = [
    'password',
    'Password1',
    '12345678',
    'QWERTYUIOP',
    'aaaaaaaa',
    '        ',
    'ababababa',
    'alice.moreau@example.com',
    'Alice1234',
    'aliceMOREAU',
    'moreau-1',
    'amoreau!!',
    'Whereabouts',
    'whereabouts1!',
    'trackers.example.org',
    'Trackers2026',
    'Alice@Whereabouts',
  ]
  expect(await collectFailures(rows, String, (password) => expect(check(password)).toThrow('validation_error'))).toEqual([])
})

test('other passwords are accepted, even with an own word in a longer sentence', async () => {
  const rows = [
    'Demo-1234',
    'correct horse battery',
    'alice likes tea',
    'p@ssw0rd-of-mine',
    '密码密码好难猜啊真的',
    'tr0ub4dor',
    'whereabouts of a cat',
  ]
  expect(await collectFailures(rows, String, (password) => expect(check(password)).not.toThrow())).toEqual([])
})

describe('every place that sets a password', () => {
  const EASY = { status: 400, body: { code: 'validation_error' } }

  test('signing up refuses an easy password and names the field', async () => {
    await using portal = await startPortal()
    const body = { email: 'nina@example.org', password: 'iloveyou1', first_name: 'Nina', last_name: 'Novak' }
    const response = await portal.call(null, 'POST', '/users/register', body)
    expect(response).toMatchObject({ ...EASY, body: { errors: { password: ['is one of the most common passwords'] } } })
  })

  test('changing the password refuses an easy one and leaves the session open', async () => {
    await using portal = await startPortal()
    const body = { old_password: 'Demo-1234', new_password: 'alice@example.com' }
    const response = await portal.call('alice@example.com', 'POST', '/users/change_password/', body)
    expect(response).toMatchObject({
      ...EASY,
      body: { errors: { new_password: ['is easy to guess from the name or e-mail address, or from the name of the portal'] } },
    })
  })

  test('a reset link refuses an easy password and stays valid', async () => {
    await using portal = await startPortal()
    const reset = (new_password: string) =>
      portal.call(null, 'POST', '/users/password_reset/confirm/', { key: SEED_KEYS.resetValid, new_password })
    expect(await reset('password1')).toMatchObject(EASY)
    expect((await reset('correct horse battery')).status).toBe(200)
  })
})
