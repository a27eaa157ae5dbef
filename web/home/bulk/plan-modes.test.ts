import { expect, test } from 'vitest'
import { SAMPLE_AT, sampleDevice } from '#web/trackers/sample-device.ts'
import { listModes, planModes, undoModes } from './plan-modes.ts'

const at = (id: number, config: NonNullable<Parameters<typeof sampleDevice>[0]>['config'], sub_state = 'active') =>
  sampleDevice({ id, config: { pending_mode: null, network_state: 'activated', ...config }, status: { sub_state, sub_end_date: null } })

const names = (devices: readonly { id: number }[]) => devices.map(({ id }) => id)

test('a mode changes those that accept it, each with its own code, and leaves out the others with the reason', () => {
  const devices = [
    at(1, { usage: 'vehicle', mode: 1 }),
    at(2, { usage: 'vehicle', mode: 8 }),
    at(3, { usage: 'dog', mode: 21 }),
    at(4, { usage: 'person', mode: 2 }),
    at(5, { usage: 'other', mode: 1 }, 'ended'),
    at(6, { usage: 'other', mode: 1, network_state: 'deactivated' }),
    at(7, { usage: 'other', mode: 50, board_name: 'SCT2-B' }),
  ]
  const { changes, skipped } = planModes(devices, 'intense', 'user', SAMPLE_AT)
  expect(changes.map(({ device, code }) => [device.id, code])).toEqual(
    expect.arrayContaining([
      [1, 2],
      [2, 9],
      [3, 22],
    ]),
  )
  expect(skipped).toEqual(expect.arrayContaining([4, 5, 6].map((id) => expect.objectContaining({ device: devices[id - 1] }))))
  expect(Object.fromEntries(skipped.map(({ device, reason }) => [device.id, reason]))).toMatchObject({
    4: 'same',
    5: 'subscription',
    6: 'deactivated',
  })
  expect(undoModes(changes).find(({ device }) => device.id === 2)?.code).toBe(8)
})

test('each mode that one of the trackers accepts is offered once, and none may be changed by a role that only reads', () => {
  const devices = [at(1, { usage: 'vehicle', mode: 1 }), at(2, { usage: 'cat', mode: 21 })]
  expect(listModes(devices).map(({ name }) => name)).toEqual(['standard', 'high', 'intense', 'plane', 'lost'])
  const { changes, skipped } = planModes(devices, 'intense', 'deepsupport', SAMPLE_AT)
  expect(changes).toEqual([])
  expect(names(skipped.map(({ device }) => device))).toEqual([1, 2])
})
