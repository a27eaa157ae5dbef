import { type HarEntry, parseJson, type Recording } from './har-schema.ts'
import { isSecretField } from './port.ts'
import { listSpellings, parseTrackerNumber, type TrackerNumber, writeLike } from './tracker-numbers.ts'

/** Only these headers are recorded: others reveal much about people and machines and nothing about a world. */
const REQUEST_HEADERS = /^(accept|accept-language|authorization|content-type|cookie|x-csrftoken|x-device-key)$/i
const RESPONSE_HEADERS = /^(content-type|content-disposition|date|etag|location|retry-after)$/i

const OTHER_SECRETS = /^(csrf.*|session.*|sid|otp|pin|proof|recovery_codes?|otpauth.*|uri|authorization|cookie|x-csrftoken|x-device-key)$/i
/** Secrets by name in requests only: in responses the same names contain error codes. */
const SENT_SECRETS = /^(code|state)$/i
const FIRST_NAME = /^first_?name$/i
const LAST_NAME = /^last_?name$/i
const WHOLE_NAME = /^(full_?name|display_?name|billed_to|owner_name|username)$/i
const PHONE = /phone|mobile|^tel$/i
const ADDRESS = /(^|_)(address|street|city|zip|postcode|postal_code|line1|line2)$/i
const FREE_TEXT = /^(description|message|comment|notes?|police_reference)$/i
const BIRTH = /^birth/i
const IP = /^(ip|ip_address|remote_addr)$/i

/** An address is at most 254 characters long; without a limit, long texts without spaces would take minutes. */
const EMAIL = /[\w.+%-]{1,254}@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/gi
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** Tokens recognizable by their form: JSON web tokens, and ids of payment providers. */
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(cs|sk|pk|rk|pi|seti|whsec|evt)_\w{10,}/g
/** Long path segments with letters and digits, as in links to private pages; photos are named by their hash. */
const MACHINE_NAME = /^(?=.*\d)(?=.*[a-z])[\w-]{24,}$/i
const SHA_256 = /^[0-9a-f]{64}$/
const ADDRESS_OF_PAGE = /^https?:\/\/\S+$/
/** Shorter ones could occur in any text by chance. */
const SHORTEST_SECRET = 6
const SHORTEST_NAME = 3

const FIRST_NAMES = [
  'Ada',
  'Ben',
  'Cleo',
  'Dan',
  'Eve',
  'Finn',
  'Gwen',
  'Hugo',
  'Iris',
  'Jan',
  'Kim',
  'Leo',
  'Mona',
  'Nils',
  'Olga',
  'Paul',
]
const LAST_NAMES = ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Hazel', 'Larch', 'Maple', 'Oak', 'Pine', 'Rowan', 'Sorrel', 'Willow', 'Yew']

/** Middle of the demo city; coordinates are moved to it, so that maps show streets. */
const CENTRE = { lat: -34.9, lng: -56.18 }

type Side = 'request' | 'response' | 'error'
type Value = unknown
type Holder = Record<string, Value>
const isHolder = (value: Value): value is Holder => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the same made-up value for the same real one. */
function createMade() {
  const kinds = new Map<string, Map<string, string>>()
  const patterns = new Map<string, { count: number; pattern: RegExp | undefined }>()
  const known = (kind: string) => kinds.get(kind) ?? new Map<string, string>()
  /** Matches all values of a kind that are safe to search for, the longest first. */
  function patternOf(kind: string, isSafe: (real: string) => boolean, border: (source: string) => string) {
    const { size } = known(kind)
    const last = patterns.get(kind)
    if (last?.count === size) return last.pattern
    const safe = [...known(kind).keys()].filter(isSafe).sort((a, b) => b.length - a.length)
    const source = safe.map((real) => real.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
    const pattern = safe.length > 0 ? new RegExp(border(`(?:${source})`), 'gu') : undefined
    patterns.set(kind, { count: size, pattern })
    return pattern
  }
  return {
    of(kind: string, real: string, make: (count: number) => string) {
      const values = known(kind)
      kinds.set(kind, values)
      const made = values.get(real) ?? make(values.size + 1)
      values.set(real, made)
      return made
    },
    replaceIn(text: string, kind: string, isSafe: (real: string) => boolean, border = (source: string) => source) {
      const pattern = patternOf(kind, isSafe, border)
      return pattern ? text.replace(pattern, (real) => known(kind).get(real)!) : text
    },
  }
}

const asWord = (source: string) => `(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`
const isLongSecret = (real: string) => real.length >= SHORTEST_SECRET
/** Short network numbers could be any number or word. */
const isLongNumber = (real: string) => real.length >= 8
/** A name in lower case could be any word, even a value of the contract. */
const isName = (real: string) => real.length >= SHORTEST_NAME && /[^a-z]/.test(real)

const pick = (names: readonly string[]) => (count: number) =>
  names[(count - 1) % names.length]! + (count > names.length ? Math.ceil(count / names.length) : '')

/**
 * Replaces secrets and the numbers that prove or claim a tracker by made-up ones, and unless `keepPeople`, names, e-mail addresses, phone
 * numbers and addresses of people, and moves all coordinates by the same offset. Equal values are replaced by equal ones. Text that is not
 * JSON is dropped if people are replaced.
 */
export function replaceValues({ entries, people }: Recording, { keepPeople = false } = {}): Recording {
  const isPeople = !keepPeople && people === 'real'
  const made = createMade()
  const replace = createReplacer(made, isPeople)
  // The first pass collects values; the second one replaces them in all texts.
  entries.forEach(replace.entry)
  return { entries: entries.map(replace.entry), people: isPeople ? 'replaced' : people }
}

function createReplacer(made: ReturnType<typeof createMade>, isPeople: boolean) {
  let from: { lat: number; lng: number } | undefined

  const secret = (text: string) => (text === '' || /^secret-\d+$/.test(text) ? text : made.of('secret', text, (count) => `secret-${count}`))

  /** The same number in another notation becomes the same made-up number. */
  function number(value: string, found: TrackerNumber) {
    const other = made.of(found.kind, found.stored, found.make)
    for (const spelling of listSpellings(value, found)) made.of('number', spelling, () => writeLike(spelling, other))
    return made.of('number', value, () => other)
  }

  function text(value: string): string {
    const clean = made
      .replaceIn(made.replaceIn(value, 'number', isLongNumber, asWord), 'secret', isLongSecret)
      .replace(TOKEN, (token) => secret(token))
      .replace(UUID, (uuid) =>
        uuid.startsWith('00000000-')
          ? uuid
          : made.of('uuid', uuid, (count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`),
      )
    if (!isPeople) return clean
    const mailed = clean.replace(EMAIL, (email) => made.of('email', email.toLowerCase(), (count) => `person${count}@example.com`))
    return made.replaceIn(mailed, 'name', isName, asWord)
  }

  const name = (value: string, kind: string, make: (count: number) => string) => made.of('name', value, () => made.of(kind, value, make))

  function person(key: string, value: string, side: Side): string {
    const email = value.match(EMAIL)?.[0] === value
    if (value === '' || email) return text(value)
    if (FIRST_NAME.test(key)) return name(value, 'first', pick(FIRST_NAMES))
    if (LAST_NAME.test(key)) return name(value, 'last', pick(LAST_NAMES))
    if (WHOLE_NAME.test(key)) return name(value, 'whole', (count) => `${pick(FIRST_NAMES)(count)} ${pick(LAST_NAMES)(count)}`)
    if (PHONE.test(key)) return made.of('phone', value, (count) => `+1 555 01${String(count).padStart(2, '0')}`)
    if (ADDRESS.test(key)) return made.of('address', value, (count) => `${count} Elm Street`)
    if (BIRTH.test(key)) return '1980-01-01'
    if (IP.test(key)) return '203.0.113.1'
    if (FREE_TEXT.test(key) && side !== 'error') return made.of('text', value, (count) => `Text ${count}`)
    return text(value)
  }

  function field(key: string, value: string, side: Side): string {
    if (ADDRESS_OF_PAGE.test(value) && URL.canParse(value)) return url(value)
    const found = parseTrackerNumber(key, value)
    if (found) return number(value, found)
    if (isSecretField(key) || OTHER_SECRETS.test(key) || (side === 'request' && SENT_SECRETS.test(key))) return secret(value)
    return key === 'last4' && isPeople ? '4242' : isPeople ? person(key, value, side) : text(value)
  }

  function move(lat: number, lng: number) {
    from ??= { lat, lng }
    const scale = Math.cos((from.lat * Math.PI) / 180) / Math.cos((CENTRE.lat * Math.PI) / 180)
    const round = (degrees: number, most: number) => Math.round(Math.max(-most, Math.min(most, degrees)) * 1e7) / 1e7
    return { lat: round(CENTRE.lat + lat - from.lat, 90), lng: round(CENTRE.lng + (lng - from.lng) * scale, 180) }
  }

  function walk(value: Value, side: Side, key = ''): Value {
    if (typeof value === 'string') return field(key, value, side)
    if (typeof value === 'number' && parseTrackerNumber(key, String(value))) return Number(field(key, String(value), side))
    if (Array.isArray(value)) return value.map((each) => walk(each, side, key))
    if (!isHolder(value)) return value
    // A name next to an e-mail address is that of a person; trackers and places have no address.
    const named = typeof value.email === 'string' && typeof value.name === 'string' ? { name: 'full_name' } : ({} as Record<string, string>)
    const other = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, side, named[name] ?? name)]))
    return isPeople ? { ...other, ...movePoint(other) } : other
  }

  function movePoint({ lat, lng }: Holder): Holder {
    const [y, x] = [Number(lat ?? Number.NaN), Number(lng ?? Number.NaN)]
    if (lat === '' || lng === '' || Number.isNaN(y) || Number.isNaN(x)) return {}
    const moved = move(y, x)
    return typeof lat === 'string' ? { lat: String(moved.lat), lng: String(moved.lng) } : moved
  }

  /** Replaces secrets in queries, and machine-generated path segments; fragments are dropped. An address without any is unchanged. */
  function url(address: string) {
    const found = new URL(address)
    let isChanged = found.username !== '' || found.hash !== ''
    for (const [name, value] of [...found.searchParams]) {
      const other = field(name, value, 'request')
      if (other === value) continue
      found.searchParams.set(name, other)
      isChanged = true
    }
    if (isPeople && found.searchParams.has('lat') && found.searchParams.has('lng')) {
      for (const [name, value] of Object.entries(movePoint(Object.fromEntries(found.searchParams))))
        found.searchParams.set(name, String(value))
      isChanged = true
    }
    const path = found.pathname
      .split('/')
      .map((part) => segment(part))
      .join('/')
    if (path === found.pathname && !isChanged) return address
    return `${found.origin}${path}${found.search}`
  }

  function segment(part: string) {
    const real = decode(part)
    const known = text(real)
    const other = known === real && MACHINE_NAME.test(real) && !SHA_256.test(real) ? secret(real) : known
    return other === real ? part : encodeURIComponent(other)
  }

  const headers = (pairs: HarEntry['request']['headers'], recorded: RegExp) =>
    pairs.filter(({ name }) => recorded.test(name)).map(({ name, value }) => ({ name: name.toLowerCase(), value: header(name, value) }))

  function header(name: string, value: string) {
    if (/^authorization$/i.test(name)) return value.replace(/^(\w+ )?(.*)$/s, (_, word = '', token) => word + secret(token))
    if (/^cookie$/i.test(name))
      return value
        .split(/;\s*/)
        .map((one) => one.replace(/=(.*)$/s, (_, content) => `=${secret(content)}`))
        .join('; ')
    return field(name, value, 'request')
  }

  function body<T extends { mimeType: string; text?: string | undefined; comment?: string | undefined }>(content: T, side: Side): T {
    if (content.text === undefined || content.text === '') return content
    const json = parseJson(content.text)
    if (json !== undefined) return { ...content, text: JSON.stringify(walk(json, side)) }
    if (!isPeople) return { ...content, text: text(content.text) }
    const { text: _, ...rest } = content
    return { ...rest, comment: 'the body is no JSON, so people in it could not be replaced (--keep-people keeps it)' } as T
  }

  return {
    entry(entry: HarEntry): HarEntry {
      const { request, response } = entry
      const side = response.status >= 400 ? 'error' : 'response'
      return {
        ...entry,
        request: {
          method: request.method,
          url: url(request.url),
          headers: headers(request.headers, REQUEST_HEADERS),
          ...(request.postData && { postData: body(request.postData, 'request') }),
        },
        response: { ...response, headers: headers(response.headers, RESPONSE_HEADERS), content: body(response.content, side) },
      }
    },
  }
}

function decode(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
