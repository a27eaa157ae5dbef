import { type Call, listValues, type Route, reply } from './calls.ts'
import { presentLink, presentTracker } from './present.ts'
import { Refusal, refuseField } from './replies.ts'
import { createToken, createUuid, type ShareLink } from './state.ts'
import type { Tracker } from './trackers.ts'
import { findTrackerIn, findTrackerOf } from './trackers-of-calls.ts'

const MOST_LINKS = 5
const ATTEMPTS = 3
const SERIAL = /^\d{8}[ -]?\d{2}$/
const PARAMETERS = ['frequency', 'keepalive_period', 'temp_uplink_slices_duration', 'temp_slice_duration'] as const

/** Trackers of the user, those never activated first, then by the end of the subscription; a visitor sees that of the link. */
function listTrackers({ state, user, link, habits, query, list }: Call) {
  const seen = user ? state.trackers.filter(({ ownerId }) => ownerId === user.id) : []
  const shared = state.trackers.filter(({ id }) => id === link?.trackerId)
  const rank = (one: Tracker) => (one.subState === 'not_activated' ? 0 : (one.subEnd?.getTime() ?? Number.MAX_SAFE_INTEGER))
  const type = query.get('type')
  const rows = type === null || type === 'tracker' ? [...seen, ...shared].sort((a, b) => rank(a) - rank(b)) : []
  return list(rows.map((tracker) => presentTracker(tracker, habits)))
}

function activate(call: Call) {
  const tracker = findTrackerOf(call)
  if (tracker.subState !== 'not_activated') throw new Refusal(400, 'This tracker cannot be activated.')
  tracker.subState = 'active'
  tracker.subEnd = new Date(call.now.getTime() + 365 * 86_400_000)
  return { status: 204 }
}

function linkSubscription(call: Call) {
  const tracker = findTrackerOf(call)
  const code = call.query.get('code') ?? ''
  const months = call.state.codes.get(code)
  if (!months) throw new Refusal(404, 'No subscription is linked to this code.')
  call.state.codes.delete(code)
  const end = new Date(call.now)
  end.setUTCMonth(end.getUTCMonth() + months)
  Object.assign(tracker, { subState: 'active', subEnd: end })
  return reply(call.habits.linked === 'tracker' ? presentTracker(tracker, call.habits) : { detail: 'ok' })
}

const listLiveLinks = ({ state, now }: Call, tracker: Tracker) =>
  state.links.filter(({ trackerId, end }) => trackerId === tracker.id && (end === null || end > now))

function readLinks(call: Call) {
  const rows = listLiveLinks(call, findTrackerOf(call)).map((link) => presentLink(link, call.habits))
  if (call.habits.links === 'pages') return call.list(rows)
  if (call.habits.links === 'list') return reply(rows)
  if (rows.length === 0) throw new Refusal(404, 'This tracker has no public link.')
  return reply(rows.at(-1))
}

const readDate = (value: unknown, field: string) => {
  if (value === undefined || value === null || value === '') return null
  const date = typeof value === 'number' ? new Date(value > 1e11 ? value : value * 1000) : new Date(String(value))
  if (Number.isNaN(date.getTime())) throw refuseField(field, 'Datetime has wrong format.')
  return date
}

function createLink(call: Call) {
  const tracker = findTrackerOf(call)
  const { body, state, now, habits } = call
  if (listLiveLinks(call, tracker).length >= MOST_LINKS) throw new Refusal(400, 'You cannot create more than 5 links per tracker.')
  const end = readDate(body.end_date ?? body.expiry, 'end_date')
  if (end !== null && end <= now) throw refuseField('end_date', 'The end lies in the past.')
  const uuid = createUuid()
  const link: ShareLink = {
    uuid,
    token: habits.linkToken === 'token' ? createToken() : uuid,
    trackerId: tracker.id,
    label: typeof body.label === 'string' ? body.label : '',
    start: readDate(body.start_date, 'start_date') ?? now,
    end,
    isPermanent: end === null,
    isFromBeginning: body.from_beginning === true,
    hasLastPoint: body.last_point === true,
  }
  state.links.push(link)
  tracker.isPublic = true
  return reply(presentLink(link, habits), 201)
}

function removeLink({ state, user, params }: Call) {
  const link = state.links.find(({ uuid }) => uuid === params.uuid)
  const tracker = state.trackers.find(({ id }) => id === link?.trackerId)
  if (!link || tracker?.ownerId !== user?.id) throw new Refusal(404, 'No link matches the given query.')
  state.links = state.links.filter((one) => one !== link)
  return { status: 204 }
}

/** Compares a serial number with that of the tracker; each wrong one costs one of three attempts. */
function requestUnlink({ state, body, user, habits }: Call) {
  const tracker = findTrackerIn(state, body, habits)
  const key = tracker ? `tracker ${tracker.id}` : `user ${user?.id}`
  const wrong = state.mismatches.get(key) ?? 0
  const refuse = (left: number) =>
    new Refusal(left > 0 ? 400 : 403, left > 0 ? 'The S/N number identification has failed.' : 'This tracker is locked.', {
      data: { remaining_attempts: left },
    })
  if (wrong >= ATTEMPTS) throw refuse(0)
  const serials = listValues(body).flatMap((value) => (typeof value === 'string' && SERIAL.test(value) ? [value.replace(/\D/, '')] : []))
  if (serials.length === 0) throw refuseField('serial_number', 'This field is required.')
  const isRight = tracker ? serials.includes(tracker.serial) : state.trackers.some(({ serial }) => serials.includes(serial))
  if (!isRight) {
    state.mismatches.set(key, wrong + 1)
    throw refuse(ATTEMPTS - wrong - 1)
  }
  return reply({ detail: 'The request has been sent.' }, 201)
}

function changeParameters(call: Call) {
  const tracker = findTrackerOf(call)
  const wanted = { ...tracker.parameters }
  for (const name of PARAMETERS) if (name in call.body) wanted[name] = Number(call.body[name])
  const isWithin = (value: number, least: number, most: number) => Number.isInteger(value) && value >= least && value <= most
  if (!isWithin(wanted.frequency, 1, 180)) throw refuseField('frequency', 'Ensure this value is between 1 and 180.')
  if (!isWithin(wanted.keepalive_period, 1, 1440)) throw refuseField('keepalive_period', 'Ensure this value is between 1 and 1440.')
  if (wanted.temp_uplink_slices_duration !== 2) throw refuseField('temp_uplink_slices_duration', 'This value must be 2.')
  if (![60, 720].includes(wanted.temp_slice_duration)) throw refuseField('temp_slice_duration', 'This value must be 60 or 720.')
  tracker.parameters = wanted
  return reply(wanted)
}

/** The smallest document that a PDF reader opens. */
const THEFT_FORM = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)

function readTheftForm(call: Call) {
  findTrackerOf(call)
  return { status: 200, binary: THEFT_FORM, headers: { 'content-type': 'application/octet-stream' } }
}

const MODE_PARAMETERS = '/devices/:id/tracker_config/mode_param2/'

export const DEVICE_ROUTES: Route[] = [
  { method: 'GET', path: '/devices/', access: 'shared', answer: listTrackers },
  { method: 'GET', path: MODE_PARAMETERS, access: 'session', answer: (call) => reply(findTrackerOf(call).parameters) },
  { method: 'PATCH', path: MODE_PARAMETERS, access: 'session', answer: changeParameters },
  { method: 'POST', path: '/devices/trackers/unlink_request/', access: 'session', answer: requestUnlink },
  { method: 'GET', path: '/devices/:id/activate_subscription/', access: 'session', answer: linkSubscription },
  { method: 'GET', path: '/devices/:id/public_share_link/', access: 'session', answer: readLinks },
  { method: 'POST', path: '/devices/:id/public_share_link/', access: 'session', answer: createLink },
  { method: 'DELETE', path: '/tracker_public_share_links/:uuid/', access: 'session', answer: removeLink },
  { method: 'GET', path: '/devices/:id/theft_form/', access: 'session', answer: readTheftForm },
  { method: 'POST', path: '/devices/:id/activate/', access: 'session', answer: activate },
]
