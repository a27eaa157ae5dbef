import { describe, expect, test } from 'vitest'
import { computeMotion } from '#contracts/rules/history/motion.ts'
import { subscriptionAction } from '#contracts/rules/subscription.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { frequencyWording } from '#contracts/rules/tracking/reporting.ts'
import { batteryDisplay, displayType } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { ANCHOR } from '#server/mock/seed/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startSharedPortal, t0 } from './testing.ts'

const { read, trackersOf } = await startSharedPortal()
const trackers = await trackersOf('alice')
const tracker = (id: number) => trackers.find((device) => device.id === id)!
const motion = ({ tracker_status }: Device) => computeMotion(tracker_status.stationary_since, ANCHOR)
const active = (days: number) => ['active', t0({ days })]
const days = (count: number) => ({ state: 'stationary', unit: 'hours', n: 24 * count })
const minutes = (n: number) => ({ state: 'stationary', unit: 'minutes', n })
const moving = { state: 'moving' }

const rows: [nn: number, name: string, product: string[], kind: string, mode: number, battery: number, sub: unknown[], shown: object][] = [
  [1, 'Rex', ['tracker_06', 'SDC1-A'], 'dog', 21, 85, active(200), moving],
  [2, 'Misty', ['tracker_04'], 'cat', 23, 40, active(12), minutes(8)],
  [3, 'City bike', ['tracker_01'], 'bike', 8, 62, active(90), minutes(100)],
  [4, 'Family car', ['tracker_02'], 'vehicle', 10, 3650, active(300), { state: 'stationary', unit: 'hours', n: 2 }],
  [5, 'Cessna', ['tracker_03'], 'plane', 4, 77, active(45), { state: 'stationary', unit: 'hours', n: 4 }],
  [6, 'Grandpa', ['tracker_04'], 'person', 1, -1, ['active', null], moving],
  [7, 'New tracker', ['tracker_01'], 'other', 1, 100, ['not_activated', null], moving],
  [8, 'Spare tracker', ['tracker_03'], 'other', 1, 100, ['not_activated', t0({ days: 700 })], days(6)],
  [9, 'Old tracker', ['tracker_01'], 'bike', 1, 3, ['ended', t0({ days: -30 })], days(121)],
  [10, 'Cold box', ['tracker_04', 'SCT2-01'], 'other', 50, 91, active(400), minutes(35)],
  [11, 'Stolen scooter', ['tracker_02'], 'vehicle', 7, 3410, active(150), moving],
  [12, 'Runaway cat', ['tracker_04'], 'cat', 27, 55, active(60), minutes(26)],
  [13, 'Delivery van', ['tracker_03'], 'vehicle', 9, 70, active(80), moving],
  [14, 'Company van', ['tracker_02'], 'vehicle', 2, 3900, active(20), moving],
  [15, 'Kitchen', ['triby'], 'other', 1, 50, ['none', null], days(9)],
  [16, 'Hiker', ['tracker_03', 'LWT2-07'], 'person', 2, 66, active(33), minutes(50)],
  [17, 'Trailer', ['tracker_02'], 'vehicle', 3, 3300, active(365), days(3)],
  [18, 'Puppy', ['tracker_06'], 'dog', 22, 30, ['ended', t0({ days: -1 })], { state: 'stationary', unit: 'hours', n: 27 }],
]

describe('trackers of alice, as the API returns them', () => {
  test('R-3.2 R-3.5 R-3.15 R-3.16 R-3.22 R-3.23 every tracker has the expected facts', async () => {
    expect(
      await collectFailures(
        rows,
        ([, name]) => name,
        ([nn, name, [type, board], kind, mode, battery, sub, shown]) => {
          const device = tracker(nn)
          const { tracker_config: config, tracker_status: status } = device
          expect([device.name, device.type, device.kind, config.mode, status.battery]).toEqual([name, type, kind, mode, battery])
          expect([status.sub_state, status.sub_end_date]).toEqual(sub)
          expect(config.board_name).toMatch(board ?? /^[A-Z0-9]+-[A-Z]$/)
          expect(motion(device)).toEqual(shown)
        },
      ),
    ).toEqual([])
  })

  test('R-3.3 identifiers and serial numbers count up with the id', async () => {
    expect(
      await collectFailures(
        rows,
        ([, name]) => name,
        ([nn]) => {
          const number = String(nn).padStart(2, '0')
          expect(tracker(nn)).toMatchObject({ identifier: `10000000${number}`, serial: `ALICE00000${number}` })
        },
      ),
    ).toEqual([])
  })

  test('R-3.18 a tracker looks the same alone as in the list', async () => {
    expect(
      await collectFailures(
        rows,
        ([, name]) => name,
        async ([nn]) => {
          expect(await read('alice', `/devices/${nn}/`)).toEqual(tracker(nn))
          expect(await read('alice', `/devices/${nn}/tracker_config/`)).toEqual(tracker(nn).tracker_config)
          expect(await read('alice', `/devices/${nn}/tracker_status/`)).toEqual(tracker(nn).tracker_status)
        },
      ),
    ).toEqual([])
  })

  test('R-4.21 R-7.3 the trackers are listed in the expected order', () => {
    expect(trackers.map(({ id }) => id)).toEqual([8, 7, 9, 18, 2, 14, 16, 5, 12, 13, 3, 11, 1, 4, 17, 10, 6, 15])
  })
})

describe('states on show', () => {
  test('R-3.26 R-3.27 batteries are in percent, in millivolts for tracker_02, and unknown for Grandpa', () => {
    const shown = (id: number) => batteryDisplay(tracker(id).type, tracker(id).tracker_status.battery)
    expect(shown(4)).toEqual({ unit: 'mV', value: 3650 })
    expect(shown(1)).toEqual({ unit: 'percent', value: 85 })
    expect(shown(6)).toEqual({ unit: 'unknown' })
  })

  test('R-3.14 only Rex has worn an active collar, for forty days', () => {
    expect(trackers.filter(({ active_collar_since }) => active_collar_since !== null).map(({ name }) => name)).toEqual(['Rex'])
    expect(tracker(1).active_collar_since).toBe(t0({ days: -40 }))
  })

  test('R-9.17 Rex reports every hour, the Cessna not at all', () => {
    expect(frequencyWording(tracker(1).tracker_config.frequency_moving)).toEqual({ key: 'everyHour' })
    expect(frequencyWording(tracker(5).tracker_config.frequency_moving)).toEqual({ key: 'none' })
  })

  test('R-3.20 the boards of Cold box and Hiker change their displayed type', () => {
    expect(trackers.filter((device) => displayType(device) !== device.type).map((device) => [device.id, displayType(device)])).toEqual([
      [16, 'lwt2'],
      [10, 'sct2'],
    ])
  })

  test('R-4.11 R-4.13 R-4.14 the trackers cover every mode label', () => {
    const labels = trackers.map(({ tracker_config }) => modeLabel(tracker_config.mode))
    expect(new Set(labels.map(({ kind }) => kind))).toEqual(new Set(['level', 'plane', 'lost', 'configurable']))
    const variants = labels.flatMap((label) => (label.kind === 'level' ? [`${label.level} ${label.variant}`] : []))
    const all = ['none', 'vehicle', 'animal'].flatMap((variant) => ['standard', 'high', 'intense'].map((level) => `${level} ${variant}`))
    expect(new Set(variants)).toEqual(new Set(all))
    expect([11, 12].map((id) => modeLabel(tracker(id).tracker_config.mode))).toEqual([{ kind: 'lost' }, { kind: 'lost' }])
  })

  test('R-4.3 only the Delivery van has settings that are still being sent', () => {
    expect(trackers.filter(({ tracker_config }) => tracker_config.mode_state === 'sending').map(({ id }) => id)).toEqual([13])
    expect(tracker(13).tracker_config).toMatchObject({ mode: 9, pending_mode: 7 })
  })

  test('R-4.9 only the Old tracker has been silent so long that its network is off', () => {
    expect(trackers.filter(({ tracker_config }) => tracker_config.network_state === 'deactivated').map(({ id }) => id)).toEqual([9])
  })

  test('R-6.6 the Company van is linked to a pro account and leads to support', () => {
    expect(trackers.filter(({ linked_to_pro }) => linked_to_pro).map(({ id }) => id)).toEqual([14])
    const { linked_to_pro, tracker_status } = tracker(14)
    expect(subscriptionAction({ linked_to_pro, sub_state: tracker_status.sub_state, is_recurring: false })).toBe('support')
  })

  test('R-3.13 only the Hiker is hidden from the map', () => {
    expect(trackers.filter(({ visible }) => !visible).map(({ id }) => id)).toEqual([16])
  })

  test('R-3.12 only City bike, the company van and Rex are public', () => {
    expect(trackers.filter(({ is_public }) => is_public).map(({ id }) => id)).toEqual([14, 3, 1])
  })

  test('R-3.4 the tags Pets, Vehicles and Stolen are in use, Empty is not', () => {
    const wearers = (name: string) => trackers.filter(({ tag }) => tag?.name === name).map(({ id }) => id)
    expect(wearers('Pets')).toEqual([18, 2, 12, 1])
    expect(wearers('Vehicles')).toEqual([14, 13, 4, 17])
    expect(wearers('Stolen')).toEqual([11])
    expect(wearers('Empty')).toEqual([])
  })

  test('R-3.11 Rex uses lora, the Trailer helium, the Kitchen none, and every other operator is in use', () => {
    expect([1, 17, 15].map((id) => tracker(id).operator)).toEqual(['lora', 'helium', 'none'])
    expect(new Set(trackers.map(({ operator }) => operator))).toEqual(new Set(['sigfox', 'lora', 'helium', 'lte_m', 'none']))
  })

  test('R-3.24 R-9.20 trackers have the price they were bought with', async () => {
    const rows: [number, object][] = [
      [1, { id: 'eur-1m', months: 1, recurring: true }],
      [2, { months: 12, recurring: false }],
      [3, { months: 12, recurring: false }],
      [4, { id: 'eur-12m', months: 12, recurring: true }],
      [10, { months: 24, extra: 1 }],
      [17, { id: 'eur-36m', months: 36, recurring: false }],
    ]
    expect(
      await collectFailures(
        rows,
        ([id]) => `tracker ${id}`,
        ([id, price]) => expect(tracker(id).price).toMatchObject(price),
      ),
    ).toEqual([])
  })

  test('R-3.24 trackers without a purchase have no price', async () => {
    expect(
      await collectFailures(
        [6, 7, 8, 15],
        (id) => `tracker ${id}`,
        (id) => expect(tracker(id).price).toBeNull(),
      ),
    ).toEqual([])
  })

  test('R-3.6 R-3.7 R-3.8 all trackers but the New tracker have a position, an address and an event', () => {
    for (const { id, tracker_status: status } of trackers) {
      const known = [status.last_position, status.last_address, status.last_event]
      expect({ id, known: known.map((fact) => fact !== null) }).toEqual({ id, known: known.map(() => id !== 7) })
    }
    const event = (id: number) => tracker(id).tracker_status.last_event?.type
    expect([1, 2, 9, 15, 18].map(event)).toEqual(['moving', 'stationary', 'low_battery', 'button', 'low_battery'])
  })

  test('R-3.10 every tracker that has reported has a time since when it is online', () => {
    for (const { id, online_since, tracker_status } of trackers) {
      expect(tracker_status.online_since).toBe(online_since)
      expect({ id, isOnline: online_since !== null }).toEqual({ id, isOnline: id !== 7 })
    }
  })
})
