import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { isPress } from './press.ts'

test('a press of the button is found in any list of alarms and in any notation', async () => {
  const rows: object[] = [
    ...[
      'sos',
      'SOS',
      ' Sos ',
      'sos,geofence',
      'lowBattery,sos',
      'geofence; SOS',
      'lowBattery|panic',
      'panic',
      'sosButton',
      'SOS_BUTTON',
    ].map((alarm) => ({ alarm })),
    ...['emergency', 'panic button', '["sos","geofence"]', 'powerCut, sos ,tow'].map((alarm) => ({ alarm })),
    { alarm: ['geofence', 'sos'] },
    { alarms: ['SOS'] },
    { alarms: [{ type: 'geofence' }, { type: 'sos' }] },
    { alarm: { type: 'sos' } },
    { alarm: { sos: true } },
    { alarm: true, type: 'sos' },
    { alarm: 1, type: 'SOS' },
    { alarmType: 'sos' },
    { event: 'sos' },
    { Event_Type: 'panic' },
    { sos: true },
    { SOS: '1' },
    { sos_button: 1 },
    { panic: 'yes' },
    { button_pressed: true },
    { Alarm_status: 'TRUE' },
  ]
  expect(await collectFailures(rows, JSON.stringify, (fields) => expect(isPress(fields as Record<string, unknown>)).toBe(true))).toEqual([])
})

test('other alarms, and alarms that are off, are not a press', async () => {
  const rows: object[] = [
    ...['vibration', 'geofence,lowBattery', 'sosted', 'lost', '', 'none'].map((alarm) => ({ alarm })),
    { alarm: false, type: 'sos' },
    { alarm: true },
    { alarm: true, type: 'geofence' },
    { alarms: [] },
    { alarm: null },
    { sos: false },
    { sos: 0 },
    { sos: 'off' },
    { type: 'sos' },
    { button: 0 },
    { button: 1 },
    { Alarm_status: false },
  ]
  expect(await collectFailures(rows, JSON.stringify, (fields) => expect(isPress(fields as Record<string, unknown>)).toBe(false))).toEqual(
    [],
  )
})
