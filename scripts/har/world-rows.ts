import type * as api from './port.ts'
import { formatInstant, photoRows } from './port.ts'

type Row = Record<string, unknown>
/** A successful response in the shape of its contract, and the parameters of its path. */
type Read<T = unknown> = { answer: T; params: Record<string, string | number> }
type Position = [time: string, lat: number, lng: number, precision: number, ...unknown[]]

/** The rows of a world's document: the first value read wins. */
export type Rows = {
  /** Extracts the rows of a read. Returns false if it has none: another call, or ids that are not numbers. */
  add(call: string, read: Read): boolean
  /** Records an id created during the recording, so that its row is left out of the starting state. */
  addCreated(call: string, answer: unknown): void
  document(now: Date): Row
}

/** Calls that create rows; most lists of the document are named like the resource. */
const CREATING = /^(places\.(create|importCsv)|(tags|contacts|alerts|links|groupLinks)\.create|trackers\.add|team\.invite)$/
const LISTS: Record<string, string> = { groupLinks: 'links', team: 'users' }
/** Lists whose rows have keys other than numbers. */
const KEYED_BY_TEXT = ['links', 'orders', 'prices', 'cards', 'mail_stops']

/** Calls whose responses a world computes from its rows, though it extracts no rows from them. */
export const DERIVED: readonly string[] = ['days.list', 'positions.track', 'links.read', 'sessions.who', 'sessions.options']

export function createRows(): Rows {
  const lists = new Map<string, Map<unknown, Row>>()
  const tracks = new Map<number, Map<string, Position>>()
  /** Positions without the fields that only a history has. */
  const lastPositions = new Map<number, Position>()
  let linkOrder: string[] = []
  const created = new Set<string>()
  let hasOtherIds = false
  let me: unknown
  let isPro = false
  let adminEmail: unknown

  const put = (list: string, key: unknown, row: Row) => {
    if (created.has(`${list} ${key}`)) return
    if (!KEYED_BY_TEXT.includes(list) && !Number.isInteger(key)) {
      hasOtherIds = true
      return
    }
    const rows = lists.get(list) ?? new Map<unknown, Row>()
    lists.set(list, rows)
    const known = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
    rows.set(key, { ...known, ...rows.get(key) })
  }
  const putTracker = (id: unknown, row: Row) => put('trackers', id, { id, ...row })
  const putPosition = (id: number, [time, ...rest]: Position) => {
    const track = tracks.get(id) ?? new Map<string, Position>()
    tracks.set(id, track)
    if (!track.has(time)) track.set(time, [time, ...rest])
  }

  function putUser(user: api.User) {
    me ??= user.id
    isPro ||= user.role === 'pro' || user.role === 'admin'
    adminEmail ??= user.admin_email
    const { id, email, username, email_confirmed, role, first_name, last_name, birth_date, marketing_consent, language, currency } = user
    const own = { id, email, username, email_confirmed, role, first_name, last_name, birth_date, marketing_consent, language, currency }
    put('users', id, { ...own, password: 'Demo-1234' })
  }

  function putSettings({ firstname, lastname, birthday, language, currency, marketing_consent, admin_email, time_zone }: api.Settings) {
    adminEmail ??= admin_email
    const own = { first_name: firstname, last_name: lastname, birth_date: birthday, language, currency, marketing_consent, time_zone }
    put('users', me, own)
  }

  const config = ({ board_name, mode, pending_mode, network_state, boost_until }: api.TrackerConfig): Row => ({
    ...{ board_name, mode, pending_mode, network_state, boost_until },
  })

  function status(id: number, { last_position: position, last_event: event, ...shown }: api.TrackerStatus): Row {
    const { sub_state, sub_end_date, battery, last_address, stationary_since, online_since } = shown
    if (position && !lastPositions.has(id)) lastPositions.set(id, [position.datetime, position.lat, position.lng, position.precision])
    const times = [position?.datetime, event?.datetime, online_since].filter((time): time is string => typeof time === 'string')
    return {
      ...{ sub_state, sub_end_date, battery: rounded(battery), address: last_address, stationary_since, online_since },
      ...(position && { lat: position.lat, lng: position.lng, precision: position.precision, course: rounded(position.course) }),
      ...(position && { position_at: position.datetime }),
      ...(event && { last_event: event.type, last_event_at: event.datetime }),
      last_message_at: times.sort().at(-1),
    }
  }

  function putDevice(device: api.Device) {
    const { id, type, name, serial, identifier, kind, operator, icon, photo, tag, linked_to_pro, active_collar_since } = device
    const { added_at, grace_from, paused_from, paused_until } = device
    if (tag) put('tags', tag.id, { id: tag.id, name: tag.name, color: tag.color })
    putTracker(id, {
      ...{ type, name, serial, identifier, kind, operator, icon, active_collar_since, is_linked_to_pro: linked_to_pro },
      ...(added_at && { created_at: added_at }),
      ...(grace_from && { grace_from }),
      ...(paused_until && { paused_from, paused_until }),
      tag: tag ? tag.id : null,
      photo: photoRows.some(({ hash }) => hash === photo) ? photo : undefined,
      ...config(device.tracker_config),
      ...status(id, device.tracker_status),
    })
    if (device.visible === false) put('hidden', id, { id })
    if (device.theft_since) put('stolen', id, { tracker: id, date: device.theft_since })
    const { price } = device
    if (price) put('priced', id, { tracker: id, price: price.id, months: price.months, extra: price.extra, is_recurring: price.recurring })
  }

  function putLink(tracker: unknown, link: api.PublicLink) {
    const { uuid, label, start_date, end_date, permanent, from_beginning, last_point, devices = [] } = link
    const { destination, shared_by, phone, note } = link
    const first = devices[0]?.id ?? tracker
    put('links', uuid, {
      ...{ uuid, tracker: first, label, starts_at: from_beginning ? null : start_date, ends_at: end_date },
      ...{ is_permanent: permanent, shows_last_point: last_point, destination_id: destination?.id },
      ...{ shared_by, phone, note },
      ...(devices.length > 1 && { more_trackers: devices.slice(1).map(({ id }) => id) }),
    })
  }

  function putSubscription(subscription: api.HeldSubscription) {
    const { id, device, type, price, tax, duration_months, extra_months, renewal_date, sub_end_date, ...more } = subscription
    const { options, renewal } = more
    put('subscriptions', id, {
      ...{ id, tracker: device, price, tax, months: duration_months, extra: extra_months, renews_at: renewal_date, ends_at: sub_end_date },
      ...{ is_recurring: renewal ? !renewal.cancel_at_period_end : type === 'recurring', options },
      ...(renewal && { provider_id: `sub_recorded_${Math.min(...renewal.devices)}`, status: 'active' }),
    })
  }

  const putPrice = ({ recurring, meta_data: { months, extra }, ...price }: api.Price) =>
    put('prices', price.id, {
      ...price,
      interval: recurring?.interval ?? null,
      interval_count: recurring?.interval_count,
      months: Number(months),
      extra: Number(extra ?? 0),
    })

  const each =
    <T>(put: (one: T) => void) =>
    ({ answer }: Read<T[]>) => {
      for (const one of answer) put(one)
    }
  const putPlace = ({ devices, ...place }: api.Place) => put('places', place.id, { ...place, trackers: devices })
  const putAlert = ({ devices, vehicle_alert, ...alert }: api.Alert) =>
    put('alerts', alert.id, { ...alert, is_vehicle_alert: vehicle_alert, trackers: devices })
  /** The address of the parcel follows from carrier and number. */
  const putOrder = ({ tracking_url: _, ...order }: api.Order) => put('orders', order.reference, order)

  const readers: Record<string, (read: Read<never>) => void> = {
    'sessions.signIn': ({ answer }: Read<{ user: api.User }>) => putUser(answer.user),
    'users.me': ({ answer }: Read<api.User>) => putUser(answer),
    'users.settings': ({ answer }: Read<api.Settings>) => putSettings(answer),
    'team.list': each(({ status: state, devices, ...user }: api.TeamUser) => {
      const team = user.role === 'admin' ? {} : { team_trackers: devices }
      put('users', user.id, { ...user, ...team, password: state === 'invited' ? null : 'Demo-1234' })
    }),
    'devices.list': each(putDevice),
    'devices.get': ({ answer }: Read<api.Device>) => putDevice(answer),
    'devices.config': ({ answer, params: { id } }: Read<api.TrackerConfig>) => putTracker(id, config(answer)),
    'devices.status': ({ answer, params: { id } }: Read<api.TrackerStatus>) => putTracker(id, status(Number(id), answer)),
    'sct2.read': ({ answer, params: { id } }: Read<api.Sct2Params>) => put('configurable_modes', id, { tracker: id, ...answer }),
    'batteryAlerts.read': ({ answer: { threshold, contacts }, params: { id } }: Read<api.BatteryAlert>) =>
      putTracker(id, { low_battery: threshold, battery_contacts: contacts }),
    'tags.list': each((tag: api.Tag) => put('tags', tag.id, tag)),
    'places.list': each(putPlace),
    'places.get': ({ answer }: Read<api.Place>) => putPlace(answer),
    'alerts.list': each(putAlert),
    'alerts.get': ({ answer }: Read<api.Alert>) => putAlert(answer),
    'contacts.list': each(({ mail_stopped_at, mail_asked_at, ...contact }: api.Contact) => {
      put('contacts', contact.id, contact)
      const stopped_at = mail_stopped_at ?? mail_asked_at
      if (stopped_at) put('mail_stops', contact.email, { account: 1, email: contact.email, stopped_at, is_asked: Boolean(mail_asked_at) })
    }),
    'firings.list': ({ answer: { firings } }: Read<{ firings: api.AlertFiring[] }>) => {
      for (const { id, device, at, kind, place, place_name, rule, mails } of firings)
        put('firings', id, { id, tracker: device, at, kind, about_id: place, about: place_name, ...(rule && { rule }), mails })
    },
    'links.list': ({ answer }: Read<(api.PublicLink & { device: number })[]>) => {
      if (linkOrder.length === 0) linkOrder = answer.map(({ uuid }) => uuid)
      for (const link of answer) putLink(link.device, link)
    },
    'links.listOf': ({ answer, params: { id } }: Read<api.PublicLink[]>) => {
      for (const link of answer) putLink(id, link)
    },
    'positions.history': ({ answer: { results }, params: { id } }: Read<api.HistoryPage>) => {
      for (const { datetime, lat, lng, precision, event, battery, speed, course, altitude, mark } of results) {
        const measured = [event, rounded(battery), speed, rounded(course), rounded(altitude), mark]
        putPosition(Number(id), trim([datetime, lat, lng, precision, ...measured]))
      }
    },
    'theft.read': ({ answer: { device, ...report }, params: { id } }: Read<api.TheftReport>) =>
      put('theft_reports', report.id, { ...report, tracker: device ?? id }),
    'subscriptions.list': each(putSubscription),
    'subscriptions.prices': each(putPrice),
    'orders.list': each(putOrder),
    'orders.read': ({ answer }: Read<api.Order>) => putOrder(answer),
    'invoices.list': each(({ order, ...invoice }: api.Invoice) => put('invoices', invoice.id, { ...invoice, order_reference: order })),
    'paymentMethods.list': each(({ type: _, ...card }: api.PaymentMethod) => put('cards', card.id, card)),
  }

  const rowsOf = (list: string) => [...(lists.get(list)?.values() ?? [])]

  /** Newest first, like the account's list; no response contains the time of creation. */
  function orderLinks(now: Date): Row[] {
    const place = ({ uuid }: Row) => (linkOrder.indexOf(String(uuid)) + 1 || linkOrder.length + 1) * 1000
    return rowsOf('links').map((link, index) => ({
      ...link,
      created_at: formatInstant(new Date(now.getTime() - (place(link) + index) * 1000)),
    }))
  }

  /** Prices of subscriptions that are no longer on offer. */
  function listRetiredPrices(sold: readonly Row[]): Row[] {
    const offered = new Set(rowsOf('prices').map(({ id }) => id))
    if (offered.size === 0) return []
    const { currency } = rowsOf('prices')[0]!
    const retired = new Map(sold.filter(({ price }) => price && !offered.has(price)).map((row) => [row.price, row]))
    return [...retired].map(([id, { months, extra }]) => ({
      ...{ id, type: 'plan', name: id, currency, unit_amount: 0, tax_behavior: 'inclusive', months, extra, is_offered: false },
    }))
  }

  function listTracks(trackers: readonly Row[]) {
    for (const [id, position] of lastPositions) putPosition(id, position)
    const known = [...tracks].filter(([id]) => trackers.some((tracker) => tracker.id === id))
    return Object.fromEntries(known.map(([id, track]) => [id, [...track.values()].sort(([a], [b]) => (a < b ? -1 : 1))]))
  }

  function document(now: Date): Row {
    const [owner, ...others] = rowsOf('users')
    const hidden = rowsOf('hidden').map(({ id }) => id)
    const trackers = rowsOf('trackers')
    const paid = new Set(rowsOf('subscriptions').map(({ tracker }) => tracker))
    const reported = new Set(rowsOf('theft_reports').map(({ tracker }) => tracker))
    const sold = [...rowsOf('subscriptions'), ...rowsOf('priced').filter(({ tracker }) => !paid.has(tracker))]
    const stolen = rowsOf('stolen').filter(({ tracker }) => !reported.has(tracker))
    const text = { address: '-', description: '-', status: 'open' }
    const made: Record<string, Row[]> = {
      users: [
        { email: 'owner@example.com', password: 'Demo-1234', ...owner, ...(hidden.length > 0 && { hidden_trackers: hidden }) },
        ...others,
      ],
      trackers,
      links: orderLinks(now),
      orders: rowsOf('orders').map((order) => ({ lines: [], ...order })),
      prices: [...rowsOf('prices'), ...listRetiredPrices(sold)],
      subscriptions: sold,
      theft_reports: [...rowsOf('theft_reports'), ...stolen.map((report) => ({ ...text, ...report, created_at: report.date }))],
    }
    const simple = ['tags', 'configurable_modes', 'places', 'contacts', 'mail_stops', 'alerts', 'firings', 'invoices', 'cards']
    for (const list of simple) made[list] = rowsOf(list)
    return {
      format: 'whereabouts world 1',
      world: { scenario: 'recorded', anchor: formatInstant(now) },
      accounts: [{ id: 1, is_pro: isPro, ...(adminEmail !== undefined && { admin_email: adminEmail }) }],
      ...Object.fromEntries(Object.entries(made).filter(([, rows]) => rows.length > 0)),
      positions: listTracks(trackers),
    }
  }

  return {
    add(call, read) {
      const reader = readers[call]
      hasOtherIds = false
      reader?.(read as Read<never>)
      return reader !== undefined && !hasOtherIds
    },
    addCreated(call, answer) {
      const [noun = ''] = call.split('.')
      const list = CREATING.test(call) ? (LISTS[noun] ?? noun) : undefined
      const { created: several = [answer] } = (answer ?? {}) as { created?: unknown[] }
      for (const one of several) if (list) created.add(`${list} ${keyOf(one)}`)
    },
    document,
  }
}

const keyOf = (one: unknown) => {
  const { id, uuid } = (one ?? {}) as Row
  return id ?? uuid
}

const rounded = (value: unknown) => (typeof value === 'number' ? Math.round(value) : value)

/** Drops unknown values at the end. */
function trim(position: readonly unknown[]): Position {
  const known = position.findLastIndex((value) => value !== null && value !== undefined)
  return position.slice(0, known + 1).map((value) => value ?? null) as Position
}
