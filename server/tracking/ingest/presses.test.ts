import { describe, expect, test } from 'vitest'
import { formatInstant } from '#contracts/rules/time.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createTestWorld, fix, NOW } from '#server/tracking/test-world.ts'

describe('a press of the button', () => {
  const at = (minutes: number) => formatInstant(new Date(NOW.getTime() + minutes * 60_000))
  const pressed = (minutes: number) => ({ lastEvent: 'button', lastEventAt: new Date(at(minutes)) })
  const eventAt = async ({ world }: Awaited<ReturnType<typeof createTestWorld>>, minutes: number) => {
    const second = NOW.getTime() / 1000 + minutes * 60
    return (await world.positions.latest(1, second, second))?.event ?? null
  }
  const BUTTON = EVENT_TYPES.indexOf('button')

  test('a press is the last event, at the time of the device, with a position that is new, known, old or absent', async () => {
    const rows: [name: string, message: object, minutes: number][] = [
      ['a new position', { positions: [fix(0, 9, { event: 'button' })] }, 9],
      ['a position that is known', { positions: [fix(0, 4, { event: 'button' })] }, 4],
      ['a position of a known second that lies elsewhere', { positions: [fix(900, 4, { event: 'button' })] }, 4],
      ['a position older than the newest', { positions: [fix(0, 6, { event: 'button' })] }, 6],
      ['a newer position in the same message', { positions: [fix(0, 9, { event: 'button' }), fix(5000, 10)] }, 9],
      ['an old position and a time of its own', { positions: [], presses: [at(9)] }, 9],
      ['no position', { positions: [], presses: [at(10)] }, 10],
      ['a low battery in the same message', { positions: [], presses: [at(9)], battery: 5 }, 9],
      ['a time that cannot be right', { positions: [], presses: ['2045-01-01T00:00:00Z'] }, 10],
      ['a time that is 1024 weeks too early', { positions: [], presses: ['2006-07-17T09:09:00Z'] }, 9],
    ]
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, message, minutes]) => {
          using portal = await createTestWorld({ battery: 80 })
          for (const minute of [0, 4, 8]) await portal.say(0, minute)
          await portal.say(0, 10, message)
          expect(await portal.device()).toMatchObject(pressed(minutes))
        },
      ),
    ).toEqual([])
  })

  test('a press is shown in the history at the fix of its second, even a known one', async () => {
    using portal = await createTestWorld()
    for (const minute of [0, 4]) await portal.say(0, minute)
    await portal.say(0, 5, { positions: [fix(0, 4, { event: 'button' })] })
    await portal.say(0, 6, { positions: [], presses: [at(0)] })
    expect([await eventAt(portal, 0), await eventAt(portal, 4)]).toEqual([BUTTON, BUTTON])
  })

  test('a press fires once when its sender repeats it, and again when the button is pressed again', async () => {
    using portal = await createTestWorld()
    const press = (minute: number, by: number) => portal.say(0, by, { positions: [], presses: [at(minute)] })
    await press(1, 1)
    await portal.say(5000, 2)
    const moved = await portal.device()
    await press(1, 3)
    expect(await portal.device()).toMatchObject({ lastEvent: moved.lastEvent, lastEventAt: moved.lastEventAt })
    await press(3, 3)
    expect(await portal.device()).toMatchObject(pressed(3))
  })

  test('a press does not replace a newer press, nor a newer event after two days', async () => {
    using portal = await createTestWorld()
    await portal.say(0, 0)
    await portal.say(0, 10, { positions: [], presses: [at(8)] })
    await portal.say(0, 10, { positions: [], presses: [at(7)] })
    expect(await portal.device()).toMatchObject(pressed(8))
    await portal.say(5000, 20)
    const before = await portal.device()
    await portal.say(0, 21, { positions: [], presses: [at(-3 * 24 * 60)] })
    expect(await portal.device()).toMatchObject({ lastEvent: before.lastEvent, lastEventAt: before.lastEventAt })
  })
})
