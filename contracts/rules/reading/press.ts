import { readBoolean } from './validity.ts'

/** Names that trackers, phones and servers use for a press of the button, in lower case and letters only. */
const PRESSES = new Set([
  ...['sos', 'panic', 'emergency', 'button', 'help', 'duress', 'sosbutton', 'panicbutton', 'emergencybutton', 'helpbutton', 'alarmbutton'],
  ...[
    'sosalarm',
    'panicalarm',
    'alarmsos',
    'alarmpanic',
    'sosalert',
    'panicalert',
    'emergencyalarm',
    'emergencyalert',
    'soskey',
    'soscall',
  ],
  ...['sospressed', 'buttonpressed', 'buttonpress', 'panicpressed', 'buttonpushed', 'pressed', 'sosactive', 'sosactivated', 'sosevent'],
])
/** Fields that list what happened. */
const LISTS = new Set([
  'alarm',
  'alarms',
  'alarmtype',
  'alarmtypes',
  'alarmname',
  'alert',
  'alerts',
  'alerttype',
  'event',
  'events',
  'eventtype',
  'eventtypes',
  'trigger',
  'reason',
])
/** Fields that state the cause of an alarm next to them. */
const KINDS = new Set(['type', 'kind', 'name', 'code', 'description'])
/** A field of its own for the button, as common LoRaWAN trackers send it. */
const FLAGS = new Set([...PRESSES, 'alarmstatus', 'issos', 'ispanic', 'isbuttonpressed'])
FLAGS.delete('button')

const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** Whether a value names a press: a word, a list of words in a text or an array, or an object with the kind of an alarm. */
function namesPress(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.length < MAX_TEXT && textNamesPress(value, depth)
  if (typeof value !== 'object' || value === null || depth > 2) return false
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).some((entry) => namesPress(entry, depth + 1))
  return (
    isPress(value as Record<string, unknown>) || Object.entries(value).some(([name, kind]) => KINDS.has(plain(name)) && namesPress(kind, 3))
  )
}

function textNamesPress(text: string, depth: number) {
  if (/^\s*[[{]/.test(text)) {
    try {
      return namesPress(JSON.parse(text), depth + 1)
    } catch {
      // A list in brackets that is no JSON.
    }
  }
  return text.split(/[,;|&+/\n]/).some((word) => PRESSES.has(plain(word)))
}

const MAX_TEXT = 1000
const MAX_ENTRIES = 100

/**
 * Whether a message says that the button was pressed: `alarm: 'sos,geofence'`, `alarms: ['SOS']`, `sos: true`, or a true alarm with a
 * `type` next to it, in any case.
 */
export function isPress(fields: Readonly<Record<string, unknown>>): boolean {
  let isAlarming = false
  let hasKind = false
  for (const key in fields) {
    const value = fields[key]
    if (value === null || value === undefined || value === '') continue
    const name = plain(key)
    if (FLAGS.has(name) && (readBoolean(value) ?? namesPress(value))) return true
    if (LISTS.has(name)) {
      if (namesPress(value)) return true
      isAlarming ||= readBoolean(value) === true
    } else if (KINDS.has(name)) hasKind ||= namesPress(value)
  }
  return isAlarming && hasKind
}
