import type { Habits } from './habits.ts'
import { nameUuid, type ShareLink, type User } from './state.ts'
import type { Tracker } from './trackers.ts'

type Fields = Record<string, unknown>

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

/** A time at +01:00 with microseconds, as Django writes it. */
function writeOffsetTime(time: Date) {
  const local = new Date(time.getTime() + 3_600_000).toISOString()
  return `${local.slice(0, 19)}.${pad(time.getUTCMilliseconds(), 3)}417+01:00`
}

export function writeTime(time: Date | null, { times }: Habits) {
  if (time === null) return null
  if (times === 'epoch') return Math.floor(time.getTime() / 1000)
  if (times === 'milliseconds') return time.getTime()
  return times === 'offset' ? writeOffsetTime(time) : time.toISOString()
}

const writeDecimal = (value: number, { decimals }: Habits, digits = 6) => (decimals === 'text' ? value.toFixed(digits) : value)

export function writeId(tracker: Tracker, { ids }: Habits) {
  if (ids === 'uuid') return nameUuid(`tracker ${tracker.id}`)
  return ids === 'serial' ? tracker.serial : tracker.id
}

/** Fields of the position: one nested field in most backends, two on the tracker where it is flat. */
function presentPosition({ position }: Tracker, habits: Habits): Fields {
  const named = (value: unknown): Fields => ({ last_position: value })
  const time = habits.positionTime
  if (position === null) return habits.position === 'flat' ? { latitude: null, longitude: null } : named(null)
  const at = time ? { [time]: writeTime(position.at, habits) } : {}
  const latitude = writeDecimal(position.latitude, habits)
  const longitude = writeDecimal(position.longitude, habits)
  const point = { type: 'Point', coordinates: [position.longitude, position.latitude] }
  const { accuracy } = position
  switch (habits.position) {
    case 'latitude':
      return named({ latitude, longitude, accuracy, ...at })
    case 'lat_lng':
      return named({ lat: latitude, lng: longitude, accuracy, ...at })
    case 'lat_lon':
      return named({ lat: latitude, lon: longitude, accuracy, ...at })
    case 'lat_long':
      return named({ lat: latitude, long: longitude, accuracy, ...at })
    case 'point':
      return { ...named(point), accuracy, ...at }
    case 'feature':
      return named({ type: 'Feature', geometry: point, properties: { accuracy, ...at } })
    case 'wkt':
      return { ...named(`SRID=4326;POINT (${position.longitude} ${position.latitude})`), ...at }
    case 'flat':
      return { latitude, longitude, accuracy, ...at }
  }
}

const rename = (fields: Fields, names: Habits['names']) =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (names[name] === '' ? [] : [[names[name] ?? name, value]])))

/** Writes a tracker with the fields of the specification, at the places and under the names of this variant. */
export function presentTracker(tracker: Tracker, habits: Habits): Fields {
  const own = { id: writeId(tracker, habits), type: tracker.type, name: tracker.name }
  const status = { sub_state: tracker.subState, sub_end_date: writeTime(tracker.subEnd, habits), battery: tracker.battery }
  const tracker_config = { board_name: tracker.board, usage: tracker.kind }
  const { battery: _, ...subscription } = status
  const further: Fields = {
    serial_number: tracker.serial,
    kind: tracker.kind,
    tag: tracker.tag,
    battery: tracker.battery,
    ...presentPosition(tracker, habits),
    last_address: tracker.address,
    last_event: tracker.event,
    stationary_since: writeTime(tracker.stationarySince, habits),
    online_since: writeTime(tracker.onlineSince, habits),
    operator: tracker.operator,
    public: tracker.isPublic,
    visible_devices: [],
    active_collar_since: writeTime(tracker.collarSince, habits),
    mode: tracker.mode,
    update_frequency_moving: tracker.minutesMoving,
    update_frequency_stationary: tracker.minutesStationary,
    price: 0,
  }
  if (habits.place === 'tracker') {
    const tracker_status = rename(status, habits.names)
    return rename({ ...own, ...further, tracker_config, tracker_status }, habits.names)
  }
  const all = rename({ ...further, ...subscription }, habits.names)
  if (habits.place === 'tracker_status') return { ...own, tracker_config, tracker_status: all }
  return { id: own.id, type: 'tracker', attributes: { ...own, ...all, ...tracker_config } }
}

export function presentUser(user: User): Fields {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    email_confirmed: user.emailConfirmed,
    role: user.role,
    first_name: user.firstName,
    last_name: user.lastName,
    birth_date: user.birthday,
    admin_email: user.role === 'admin' ? user.email : null,
    marketing_email_consent: user.marketing,
  }
}

export function presentSettings(user: User, { settings }: Habits): Fields {
  const three = { firstname: user.firstName, lastname: user.lastName, birthday: user.birthday }
  return settings === 'three' ? three : { ...three, email: user.email, marketing_emails: user.marketing, language: 'en' }
}

export function presentLink(link: ShareLink, habits: Habits): Fields {
  return {
    uuid: link.uuid,
    ...(habits.linkToken === 'token' && { token: link.token }),
    label: link.label,
    start_date: writeTime(link.start, habits),
    end_date: writeTime(link.end, habits),
    expiry: writeTime(link.end, habits),
    permanent: link.isPermanent,
    from_beginning: link.isFromBeginning,
    last_point: link.hasLastPoint,
  }
}

const PLANS = [
  { id: 'price_1MonthlyEur', name: 'Monthly', months: 1, amount: 599, extra: 0, once: false },
  { id: 'price_1YearlyEur', name: 'Yearly', months: 12, amount: 4788, extra: 0, once: false },
  { id: 'price_2YearsEur', name: 'Two years', months: 24, amount: 8376, extra: 2, once: false },
  { id: 'price_CareEur', name: 'Care', months: 12, amount: 1490, extra: 0, once: true },
]

type Plan = (typeof PLANS)[number] & { currency: string }

/** Each plan in each currency; other currencies cost a tenth more than the euro. */
const listPlans = ({ currencies }: Habits): Plan[] =>
  currencies.split(',').flatMap((currency) =>
    PLANS.map((plan) => {
      if (currency === 'eur') return { ...plan, currency }
      return { ...plan, currency, id: plan.id.replace('Eur', 'Usd'), amount: Math.round(plan.amount * 1.1) }
    }),
  )

export const findPlan = (id: unknown, habits: Habits) => listPlans(habits).find((plan) => plan.id === id)

const writeInterval = (months: number) =>
  months % 12 === 0 ? { interval: 'year', interval_count: months / 12 } : { interval: 'month', interval_count: months }

/** Writes the price list: in the card provider's form, or with the fields of the specification. */
export function presentPrices(habits: Habits): unknown {
  const plans = listPlans(habits)
  if (habits.prices === 'stripe') return plans.map(writeStripePrice)
  if (habits.prices === 'expanded') return writeStripeList(plans)
  return plans.map(({ id, months, amount, extra, once, currency }) => {
    const price = { currency, unit_amount: amount, tax_behavior: 'inclusive', meta_data: { months, extra } }
    const recurring = once ? 'one-time' : writeInterval(months).interval
    const further = { type: once ? 'care' : 'plan', tax: writeDecimal(20, habits, 2), duration: months, recurring }
    return habits.prices === 'flat' ? { id, ...further, ...price } : { id, ...further, price }
  })
}

function writeStripePrice({ id, months, amount, extra, once, currency }: Plan): Fields {
  const kind = once ? { type: 'one_time', recurring: null } : { type: 'recurring', recurring: writeInterval(months) }
  const metadata = { months: String(months), extra: String(extra) }
  return { id, object: 'price', active: true, currency, unit_amount: amount, tax_behavior: 'exclusive', ...kind, metadata }
}

/** The card provider's response to `GET /v1/prices?expand[]=data.product`. */
function writeStripeList(plans: readonly Plan[]): Fields {
  const data = plans.map((plan) => {
    const product = { id: `prod_${plan.months}`, object: 'product', active: true, name: plan.name, metadata: { extra: String(plan.extra) } }
    const usage = { meter: null, trial_period_days: null, usage_type: 'licensed' }
    const recurring = plan.once ? null : { ...writeInterval(plan.months), ...usage }
    const amounts = { unit_amount: null, unit_amount_decimal: String(plan.amount), billing_scheme: 'per_unit' }
    return { ...writeStripePrice(plan), ...amounts, nickname: null, recurring, product, tax_behavior: 'unspecified', metadata: {} }
  })
  const former = { ...data[0], id: 'price_Former', active: false, unit_amount_decimal: '99' }
  return { object: 'list', url: '/v1/prices', has_more: false, data: [former, ...data] }
}
