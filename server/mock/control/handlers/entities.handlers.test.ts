import { describe, expect, test } from 'vitest'
import { ENTITY_TYPES } from '#contracts/mock/entities.ts'
import { ENTITY_KINDS } from '#server/mock/entities/entity-kinds.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
const call = (portal: Portal, method: string, path: string, body?: object) => portal.call(null, method, `/mock/entities/${path}`, body)

describe('test rows', () => {
  test('created rows belong to the first persona or the named owner and appear in the portal', async () => {
    await using portal = await startPortal()
    const { status, body } = await call(portal, 'POST', 'trackers', {
      count: 3,
      traits: ['low_battery'],
      data: { name: 'Herd', lat: -34.9 },
    })
    expect([status, body.length]).toEqual([201, 3])
    expect(body[0]).toMatchObject({ account_id: 1, name: 'Herd', battery: 5, lat: -34.9, last_event: 'low_battery', board_name: 'TRK1-A' })
    expect((await portal.call('alice@example.com', 'GET', `/devices/${body[2].id}/`)).body.tracker_status.battery).toBe(5)
    await call(portal, 'POST', 'tags', { owner: 'haruka', data: { name: 'Rot' } })
    expect((await portal.call('haruka@example.com', 'GET', '/tracker_tags/')).body).toMatchObject([{ name: 'Rot' }])
  })

  test('rows of every type are created with each of their traits, changed and removed', async () => {
    expect(
      await collectFailures(ENTITY_TYPES, String, async (type) => {
        await using portal = await startPortal()
        for (const trait of [undefined, ...Object.keys(ENTITY_KINDS[type].traits)]) {
          const made = await call(portal, 'POST', type, trait ? { traits: [trait] } : {})
          expect([trait, made.status]).toEqual([trait, 201])
        }
        const rows = (await call(portal, 'GET', type)).body
        const { id, uuid, identifier } = rows.at(-1)
        const key = id ?? uuid ?? identifier
        expect((await call(portal, 'PATCH', `${type}/${key}`, { traits: Object.keys(ENTITY_KINDS[type].traits).slice(0, 1) })).status).toBe(
          200,
        )
        expect((await call(portal, 'DELETE', `${type}/${key}`)).body).toEqual({ id: String(key) })
        expect((await call(portal, 'DELETE', `${type}/${key}`)).status).toBe(404)
        expect((await call(portal, 'PATCH', `${type}/${key}`, {})).status).toBe(404)
        expect((await call(portal, 'GET', type)).body).toHaveLength(rows.length - 1)
      }),
    ).toEqual([])
  })

  test('a created user signs in with the common password, and its password hash can be neither read nor set', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    const { body } = await call(portal, 'POST', 'users', { data: { email: 'New@example.org' } })
    expect(body[0]).not.toHaveProperty('password_hash')
    const credentials = { username: 'new@example.org', password: 'Demo-1234' }
    expect((await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', credentials)).status).toBe(200)
    const { body: refused } = await call(portal, 'PATCH', `users/${body[0].id}`, { data: { password_hash: 'x' } })
    expect(refused.errors['data.password_hash'][0]).toMatch(/^No column of that name may be set, but id, /)
    expect(refused.errors['data.password_hash'][0]).not.toContain('password_hash')
  })

  test('a row with invalid data, an unknown trait or an unknown owner is rejected and nothing is created', async () => {
    await using portal = await startPortal()
    const rows = [
      ['trackers', { data: { colour: 'red' } }, 'data.colour'],
      ['users', { data: { email: 'nobody' } }, 'data.email'],
      ['trackers', { data: { last_message_at: '2026-03-02T08:00:00' } }, 'data.last_message_at'],
      ['trackers', { data: { battery: 'full' } }, 'data.battery'],
      ['trackers', { data: { precision: 0.5 } }, 'data.precision'],
      ['trackers', { data: { sub_end_date: 'soon' } }, 'data.sub_end_date'],
      ['trackers', { data: { sub_end_date: '+012026-03-01T12:00:00Z' } }, 'data.sub_end_date'],
      ['trackers', { data: { name: null } }, 'data.name'],
      ['trackers', { data: { type: 'toaster' } }, 'data.type'],
      ['trackers', { data: { kind: 'dragon' } }, 'data.kind'],
      ['trackers', { data: { network_state: 'zz' } }, 'data.network_state'],
      ['trackers', { data: { lat: 999 } }, 'data.lat'],
      ['places', { data: { type: 'castle' } }, 'data.type'],
      ['links', { data: { uuid: 'x' } }, 'data.uuid'],
      ['users', { data: { role: 'king' } }, 'data.role'],
      ['users', { data: { language: 'xx' } }, 'data.language'],
      ['users', { data: { time_zone: 'Mars/One' } }, 'data.time_zone'],
      ['users', { data: { birth_date: 'May' } }, 'data.birth_date'],
      ['alerts', { data: { trigger: 'hover' } }, 'data.trigger'],
      ['trackers', { trait: ['lost'] }, 'body'],
      ['trackers', { data: { identifier: '1000000001' } }, 'data'],
      ['trackers', { traits: ['golden'] }, 'traits'],
      ['trackers', { traits: ['toString'] }, 'traits'],
      ['links', { data: { device_id: 999 } }, 'data'],
      ['links', { owner: 'dario' }, 'data'],
      ['tags', { owner: 'nobody' }, 'owner'],
      ['tags', { count: 0 }, 'count'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([type, body]) => `${type} ${JSON.stringify(body)}`,
        async ([type, body, field]) => {
          const before = (await call(portal, 'GET', type)).body.length
          expect((await call(portal, 'POST', type, body)).body).toMatchObject({
            code: 'validation_error',
            errors: { [field]: [expect.any(String)] },
          })
          expect((await call(portal, 'GET', type)).body).toHaveLength(before)
        },
      ),
    ).toEqual([])
  })

  test('a row can break the rules of the portal but not the contract of the API', async () => {
    await using portal = await startPortal()
    const change = (data: object) => call(portal, 'PATCH', 'trackers/1', { data })
    expect((await change({ type: 'tracker_99' })).body.errors).toEqual({
      'data.type': [expect.stringContaining('"tracker_01"|"tracker_02"')],
    })
    expect((await change({ lng: -181 })).body.errors).toEqual({ 'data.lng': ['Too small: expected number to be >=-180'] })
    const wild = { name: '', battery: -900, mode: 999, pending_mode: -1, precision: -5, lat: 90, lng: -180, sub_end_date: null }
    expect(await change(wild)).toMatchObject({ status: 200, body: wild })
    expect((await portal.call('alice@example.com', 'GET', '/devices/1/')).status).toBe(200)
  })

  test('an unknown kind of row is answered with 404', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    expect((await call(portal, 'GET', 'unicorns')).status).toBe(404)
  })
})
