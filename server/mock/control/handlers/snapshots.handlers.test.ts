import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const MEDIA = 'application/vnd.sqlite3'
const keep = (portal: Portal, name: string) => portal.call(null, 'POST', '/mock/snapshots', { name })
const rename = (portal: Portal, firstname: string) => portal.call('alice@example.com', 'PATCH', '/users/settings/', { firstname })

describe('snapshots', () => {
  test('a snapshot restores data, time and seed, in the same world or in a new one', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    await rename(portal, 'Before')
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT3H' })
    expect(await keep(portal, 'bug-7')).toMatchObject({
      status: 201,
      body: { name: 'bug-7', scenario: 'expiring', seed: 1, clock: { now: '2026-03-02T12:00:00Z', mode: 'frozen' } },
    })
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P2D' })
    await portal.call(null, 'POST', '/mock/reset', { scenario: 'empty', seed: 3 })

    const { status, body } = await portal.call(null, 'POST', '/mock/snapshots/bug-7/restore/')
    expect([status, body.scenario, body.seed, body.clock.now]).toEqual([200, 'expiring', 1, '2026-03-02T12:00:00Z'])
    const headers = { authorization: `Bearer ${body.personas[0].token}` }
    expect((await portal.call(null, 'GET', '/users/settings/', undefined, headers)).body.firstname).toBe('Before')

    const made = await portal.call(null, 'POST', '/mock/worlds', { id: 'again', from: 'bug-7', clock: { mode: 'flow' } })
    expect(made.body).toMatchObject({ scenario: 'expiring', clock: { now: expect.stringMatching(/^2026-03-02T12:0/), mode: 'flow' } })
  })

  test('a restored world continues its random ids, so that no id repeats', async () => {
    await using portal = await startPortal()
    await keep(portal, 'ids')
    const first = (await portal.call(null, 'POST', '/mock/snapshots/ids/restore')).body.personas[0].token
    const login = await portal.call(null, 'POST', '/mock/login', { persona: 'alice' })
    expect(login.body.token).not.toBe(first)
    expect((await portal.call(null, 'GET', '/options/', undefined, { authorization: `Bearer ${first}` })).status).toBe(200)
  })

  test('a snapshot can be downloaded, removed and imported again', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    await keep(portal, 'travels')
    const file = await portal.call(null, 'GET', '/mock/snapshots/travels/download')
    expect([file.headers['content-type'], file.headers['content-disposition']]).toEqual([MEDIA, expect.stringContaining('travels.db')])
    expect((await portal.call(null, 'DELETE', '/mock/snapshots/travels')).body).toEqual({ name: 'travels' })
    expect((await portal.call(null, 'POST', '/mock/snapshots/travels/restore')).status).toBe(404)
    const headers = { 'content-type': MEDIA }
    const taken = await portal.app.inject({ method: 'POST', url: '/mock/snapshots/import?name=back', headers, payload: file.raw })
    expect([taken.statusCode, taken.json().scenario]).toEqual([201, 'empty'])
    const { body } = await portal.call(null, 'GET', '/mock/snapshots')
    expect(body.map(({ name }: { name: string }) => name)).toContain('back')
    expect((await portal.call(null, 'POST', '/mock/snapshots/back/restore')).status).toBe(200)
    await portal.call(null, 'DELETE', '/mock/snapshots/back')
  })

  test('a file that is not a database of a world is not accepted as a snapshot', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    const rows = ['no database', 'SQLite format 3\0 and then nothing']
    expect(
      await collectFailures(rows, JSON.stringify, async (payload) => {
        const headers = { 'content-type': MEDIA }
        const answer = await portal.app.inject({ method: 'POST', url: '/mock/snapshots/import?name=bad', headers, payload })
        expect(answer.json()).toMatchObject({ code: 'validation_error', errors: { file: ['Not a snapshot of a world'] } })
        const { status, body } = await portal.call(null, 'POST', '/mock/worlds', { from: 'bad' })
        expect([status, body.errors]).toEqual([400, { from: ['There is no snapshot of that name. “bad” is unknown.'] }])
      }),
    ).toEqual([])
  })

  test('a snapshot name cannot leave its folder', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    expect((await keep(portal, '../main')).body.errors).toHaveProperty('name')
    for (const name of ['..%2Fmain', '%2e%2e'])
      expect((await portal.call(null, 'GET', `/mock/snapshots/${name}/download`)).status).toBe(404)
  })
})
