import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
const until = (portal: Portal, event: string) => portal.call(null, 'POST', '/mock/clock/until', { event })

describe('clock until an event', () => {
  test('the clock stops at the second in which the next position is sent', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    const { body } = await until(portal, 'position')
    expect(body).toMatchObject({ from: '2026-03-02T09:00:00Z', positions: 1, fired: [{ at: body.to, kind: 'position', ref: 'devices/1' }] })
    const { tracker_status } = (await portal.call('alice@example.com', 'GET', '/devices/1/')).body
    expect(tracker_status.last_position.datetime).toBe(body.to)
  })

  test('the clock stops when a pending mode is applied', async () => {
    await using portal = await startPortal()
    const { body } = await until(portal, 'mode_applied')
    expect(body.fired.at(-1)).toEqual({ at: body.to, kind: 'mode_applied', ref: 'devices/13' })
    const { tracker_config } = (await portal.call('alice@example.com', 'GET', '/devices/13/')).body
    expect(tracker_config).toMatchObject({ mode: 7, pending_mode: null })
  })

  test('the clock stops at the end of a link, the end of a subscription and a renewal', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    const link = (await until(portal, 'link_expiry')).body
    expect(link.to).toBe('2026-03-03T09:00:00Z')
    expect(link.fired.at(-1)).toMatchObject({ kind: 'link_end', ref: expect.stringMatching(/^links\//) })
    const end = (await until(portal, 'sub_end')).body
    expect(end.fired).toContainEqual({ at: end.to, kind: 'subscription_end', ref: 'devices/2' })

    await using again = await startPortal({ scenario: 'expiring' })
    const renewal = (await until(again, 'renewal')).body
    expect(renewal.fired.at(-1)).toEqual({ at: '2026-03-03T09:00:00Z', kind: 'renewal', ref: 'subscriptions/1' })
    const { tracker_status } = (await again.call('alice@example.com', 'GET', '/devices/1/')).body
    expect(tracker_status.sub_end_date > renewal.to).toBe(true)
  })

  test('waiting for an event that will not happen is rejected and the clock does not move', async () => {
    await using portal = await startPortal({ scenario: 'empty' })
    for (const event of ['position', 'mode_applied', 'link_expiry', 'sub_end', 'renewal', 'doomsday'])
      expect((await until(portal, event)).body).toMatchObject({ code: 'validation_error', errors: { event: [expect.any(String)] } })
    expect((await portal.call(null, 'PUT', '/mock/clock', {})).body).toEqual({ now: '2026-03-02T09:00:00Z', mode: 'frozen', rate: 1 })
  })
})
