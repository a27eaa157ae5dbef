import { describe, expect, test } from 'vitest'
import {
  MEASURE_SPELLINGS,
  NO_TIMES,
  PLACE_SPELLINGS,
  PRESSES,
  TIME_SPELLINGS,
  WITH_FIX,
  WITHOUT_FIX,
} from '#contracts/rules/reading/test-values.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type Content, openProtocol, PROTOCOLS } from './test-protocols.ts'

const PLACE = { lat: -34.9, lng: -56.15 }
const START = Date.parse('2026-03-02T08:50:00Z')
/** A separate second for each row, so that none counts as a duplicate. */
const timed = <T>(rows: readonly T[]) => rows.map((row, index) => ({ row, at: new Date(START + index * 1000) }))
const hasPassed = (status: number) => expect([200, 201, 204]).toContain(status)

describe.each(Object.keys(PROTOCOLS))('%s', (protocol) => {
  test('a time is accepted in every notation', async () => {
    await using open = await openProtocol(protocol)
    expect(
      await collectFailures(
        timed(Object.entries(TIME_SPELLINGS)),
        ({ row: [name] }) => name,
        async ({ row: [, spell], at }) => {
          hasPassed((await open.send({ ...PLACE, time: spell(at) })).status)
          expect(await open.listAt(at)).toMatchObject([PLACE])
        },
      ),
    ).toEqual([])
  })

  test('coordinates are accepted in every notation', async () => {
    await using open = await openProtocol(protocol)
    expect(
      await collectFailures(
        timed(PLACE_SPELLINGS),
        ({ row }) => row.join(' '),
        async ({ row: [lat, lng], at }) => {
          hasPassed((await open.send({ lat, lng, time: at.toISOString() })).status)
          expect(await open.listAt(at)).toMatchObject([PLACE])
        },
      ),
    ).toEqual([])
  })

  test('a time that does not exist never becomes an instant', async () => {
    await using open = await openProtocol(protocol)
    const { last_position } = await open.readStatus()
    expect(
      await collectFailures(NO_TIMES, String, async (time) => {
        await open.send({ ...PLACE, time })
        const { datetime } = (await open.readStatus()).last_position
        expect([last_position.datetime, open.receivedAt()]).toContain(datetime)
      }),
    ).toEqual([])
  })

  test('every notation of "no fix" is recognised, and counted for the owner', async () => {
    await using open = await openProtocol(protocol)
    const { last_position } = await open.readStatus()
    expect(
      await collectFailures(
        timed(WITHOUT_FIX),
        ({ row }) => JSON.stringify(row),
        async ({ row, at }) => {
          hasPassed((await open.send({ ...PLACE, time: at.toISOString(), more: row })).status)
          expect(await open.listAt(at)).toEqual([])
        },
      ),
    ).toEqual([])
    expect((await open.readStatus()).last_position).toEqual(last_position)
    expect(await open.countRefused()).toMatchObject([{ reason: 'no_fix', count: WITHOUT_FIX.length }])
  })

  test('a position that is marked as a fix is accepted', async () => {
    await using open = await openProtocol(protocol)
    expect(
      await collectFailures(
        timed(WITH_FIX),
        ({ row }) => JSON.stringify(row),
        async ({ row, at }) => {
          hasPassed((await open.send({ ...PLACE, time: at.toISOString(), more: row })).status)
          expect(await open.listAt(at)).toMatchObject([PLACE])
        },
      ),
    ).toEqual([])
  })

  test("measurements are read in the unit in their field's name", async () => {
    await using open = await openProtocol(protocol)
    expect(
      await collectFailures(
        timed(MEASURE_SPELLINGS),
        ({ row: [fields] }) => JSON.stringify(fields),
        async ({ row: [more, means], at }) => {
          hasPassed((await open.send({ ...PLACE, time: at.toISOString(), more })).status)
          expect(await open.listAt(at)).toMatchObject([means])
        },
      ),
    ).toEqual([])
  })

  test('a press of the button is recognised with a position that is new or known', async () => {
    await using open = await openProtocol(protocol)
    expect(
      await collectFailures(
        timed(PRESSES.flatMap((more) => [true, false].map((isKnown) => ({ more, isKnown })))),
        ({ row: { more, isKnown } }) => `${JSON.stringify(more)}, ${isKnown ? 'known' : 'new'}`,
        async ({ row: { more, isKnown }, at }) => {
          const time = at.toISOString()
          if (isKnown) await open.send({ ...PLACE, time })
          hasPassed((await open.send({ ...PLACE, time, more })).status)
          expect((await open.readStatus()).last_event).toEqual({ type: 'button', datetime: formatInstant(at) })
          expect(await open.listAt(at)).toMatchObject([{ event: 'button' }])
        },
      ),
    ).toEqual([])
  })

  test('a press of the button is recognised without a fix, and without a position', async () => {
    await using open = await openProtocol(protocol)
    const { last_position } = await open.readStatus()
    const isDated = /osmand|Client|OwnTracks|Overland|Traccar/.test(protocol)
    const hasNoPosition = !/OwnTracks|Overland|^Traccar$/.test(protocol)
    const rows: Content[] = [{ ...PLACE, more: { valid: false } }, ...(hasNoPosition ? [{}] : [])]
    expect(
      await collectFailures(
        timed(PRESSES.flatMap((more) => rows.map((content) => ({ ...content, more: { ...content.more, ...more } })))),
        ({ row }) => JSON.stringify(row),
        async ({ row, at }) => {
          hasPassed((await open.send({ ...row, time: at.toISOString() })).status)
          const datetime = isDated ? formatInstant(at) : open.receivedAt()
          expect((await open.readStatus()).last_event).toEqual({ type: 'button', datetime })
        },
      ),
    ).toEqual([])
    expect((await open.readStatus()).last_position).toEqual(last_position)
  })
})
