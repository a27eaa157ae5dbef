import { describe, expect, test } from 'vitest'
import type { Settings, User } from '#contracts/accounts/users.ts'
import { subscriptionAction } from '#contracts/rules/subscription.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { emailOf, startSharedPortal, t0 } from './testing.ts'

const { portal, read, trackersOf } = await startSharedPortal()

const cast = [
  ['alice', 'user', 'en', 'eur', 18],
  ['bruno', 'user', 'fr', 'eur', 0],
  ['chloe', 'user', 'de', 'eur', 0],
  ['dario', 'user', 'it', 'eur', 0],
  ['erika', 'user', 'de', 'chf', 1],
  ['george', 'user', 'en', 'gbp', 1],
  ['usha', 'user', 'en', 'usd', 1],
  ['haruka', 'user', 'ja', 'jpy', 2],
  ['olga', 'user', 'cs', 'czk', 0],
  ['victor', 'user', 'es', 'eur', 4],
  ['zoe', 'user', 'sv', 'sek', 2],
  ['taken', 'user', 'en', 'eur', 0],
  ['admin', 'admin', 'en', 'eur', 6],
  ['member', 'pro', 'fr', 'eur', 2],
  ['support', 'deepsupport', 'en', 'eur', 35],
] as const

describe('personas', () => {
  test('the table of this test lists every persona', () => expect(cast.map(([key]) => key)).toEqual(PERSONAS.map(({ key }) => key)))

  test('R-3.41 R-3.42 R-3.44 every persona has the expected role, language and currency', async () => {
    expect(
      await collectFailures(
        cast,
        ([key]) => key,
        async ([key, role, language, currency]) => {
          const me = await read<User>(key, '/users/me/')
          expect(me).toMatchObject({ role, language, currency, email: emailOf(key), username: emailOf(key) })
          expect(me.email_confirmed).toBe(key !== 'chloe')
        },
      ),
    ).toEqual([])
  })

  test('R-6.3 the options and session endpoints return the role and e-mail of every persona', async () => {
    expect(
      await collectFailures(
        cast,
        ([key]) => key,
        async ([key, role]) => {
          expect(await read(key, '/options/')).toEqual({ email_confirmed: key !== 'chloe', role })
          expect(await read(key, '/api-auth/session/login/')).toEqual({ username: emailOf(key) })
        },
      ),
    ).toEqual([])
  })

  test('R-3.45 R-3.46 R-3.50 every persona has a name and has not consented to marketing', async () => {
    expect(
      await collectFailures(
        cast,
        ([key]) => key,
        async ([key]) => {
          const me = await read<User>(key, '/users/me/')
          const settings = await read<Settings>(key, '/users/settings/')
          expect([me.first_name, me.last_name].every((name) => name.length > 0)).toBe(true)
          expect(me.marketing_consent).toBe(false)
          expect([settings.firstname, settings.lastname, settings.birthday]).toEqual([me.first_name, me.last_name, me.birth_date])
        },
      ),
    ).toEqual([])
  })

  test('every persona sees the expected number of trackers', async () => {
    expect(
      await collectFailures(
        cast,
        ([key]) => key,
        async ([key, _role, _language, _currency, count]) => {
          expect(await trackersOf(key)).toHaveLength(count)
        },
      ),
    ).toEqual([])
  })

  test('R-7.13 R-3.48 R-3.85 personas sign in with Demo-1234, and the response contains no password', async () => {
    expect(
      await collectFailures(['alice', 'member', 'support'], String, async (key) => {
        const body = { username: emailOf(key).toUpperCase(), password: 'Demo-1234' }
        const answer = await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', body)
        expect(answer).toMatchObject({
          status: 200,
          body: { user: { email: emailOf(key) }, token: expect.stringMatching(/^[0-9a-f]{40}$/) },
        })
        expect(JSON.stringify(answer.body)).not.toMatch(/argon2|Demo-1234|password/i)
      }),
    ).toEqual([])
  })
})

describe('the purpose of each persona', () => {
  test("personas with trackers live in the city's time zone, the others elsewhere", async () => {
    expect(
      await collectFailures(
        cast,
        ([key]) => key,
        async ([key, _role, _language, _currency, count]) => {
          const zone = (await read<Settings>(key, '/users/settings/')).time_zone
          if (count > 0) expect(zone).toBe('America/Montevideo')
          else expect(zone).not.toBe('America/Montevideo')
        },
      ),
    ).toEqual([])
  })

  test('dario has no trackers and no links', async () => {
    expect(await trackersOf('dario')).toEqual([])
    expect(await read('dario', '/tracker_public_share_links/')).toEqual([])
  })

  test('haruka and her trackers have Japanese names', async () => {
    expect(await read<User>('haruka', '/users/me/')).toMatchObject({ first_name: '春香', last_name: '山田' })
    expect((await trackersOf('haruka')).map(({ name }) => name)).toEqual(['自転車', 'ポチ'])
  })

  test("haruka's dog has a history", async () => {
    const [, dog] = await trackersOf('haruka')
    expect((await read<{ count: number }>('haruka', `/devices/${dog!.id}/tracker_data/`)).count).toBeGreaterThan(0)
  })

  test('R-4.18 george and erika have one tracker with an ended one-time subscription to renew', async () => {
    const rows = [
      ['george', 'gbp-12m', -6],
      ['erika', 'eur-12m-once', -15],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([key]) => key,
        async ([key, price, days]) => {
          const [device, ...more] = await trackersOf(key)
          expect(more).toEqual([])
          expect(device).toMatchObject({
            price: { id: price, recurring: false },
            tracker_status: { sub_state: 'ended', sub_end_date: t0({ days }) },
          })
          const offer = {
            linked_to_pro: device!.linked_to_pro,
            sub_state: device!.tracker_status.sub_state,
            is_recurring: device!.price!.recurring,
          }
          expect(subscriptionAction(offer)).toBe('renew')
        },
      ),
    ).toEqual([])
  })

  test('R-4.18 the subscription of usha renews automatically', async () => {
    const [device] = await trackersOf('usha')
    expect(device).toMatchObject({ price: { id: 'usd-12m', recurring: true }, tracker_status: { sub_state: 'active' } })
  })

  test('the address of the persona taken cannot be registered again', async () => {
    const body = { email: emailOf('taken'), password: 'Fresh-1234', first_name: 'Ann', last_name: 'Other' }
    expect(await portal.call(null, 'POST', '/users/register', body)).toMatchObject({ status: 409, body: { code: 'email_exists' } })
  })

  test('zoe has two trackers and two working links and can delete her account', async () => {
    const links = await read<{ uuid: string; device_name: string }[]>('zoe', '/tracker_public_share_links/')
    expect(links.map(({ device_name }) => device_name).sort()).toEqual(['Cykel', 'Misse'])
    for (const { uuid } of links) await read(null, `/tracker_public_share_links/${uuid}/`)
    await using own = await startPortal()
    expect(await own.call(emailOf('zoe'), 'DELETE', '/users/me/?profile=all')).toMatchObject({ status: 200, body: { deleted: true } })
  })

  test('chloe is unconfirmed and can still change her settings', async () => {
    expect(await read<User>('chloe', '/users/me/')).toMatchObject({ email_confirmed: false })
    await using own = await startPortal()
    const change = { birthday: '1990-05-05' }
    expect(await own.call(emailOf('chloe'), 'PATCH', '/users/settings/', change)).toMatchObject({ status: 200, body: change })
  })
})
