import { findDifferences } from './differences.ts'
import { type HarEntry, HarError, parseJson, readHar } from './har-schema.ts'
import { findEndpoint, findParams, getSuccess, isApiPath, type NewFault, RequestFailed, type Route, readTolerantly } from './port.ts'
import { replaceValues } from './replace-values.ts'
import { createRows, DERIVED } from './world-rows.ts'

/** What an entry is turned into: rows of the world, a response that it repeats, something it does by itself, or nothing. */
export type Outcome = {
  entry: number
  method: string
  url: string
  call: string | null
  becomes: 'rows' | 'answer' | 'live' | 'left out'
  note: string
}

type Exchange = Outcome & {
  source: HarEntry
  path: string
  query: Record<string, string>
  route: Route | undefined
  /** The response in the shape of its contract, if it has one. */
  answer: unknown
  isPart: boolean
}

type Answered = { status: number; body: unknown }
type Draft = { read(path: string): Promise<Answered>; remove(): Promise<unknown> }

/** Where a draft of the world is created, to find out which recorded responses it gives by itself. Rejects with `RequestFailed`. */
export type Workshop = {
  /** `reader` is the e-mail of the user whose reads were recorded. */
  open(document: string, reader: string): Promise<Draft>
}

export type RecordedWorld = { document: string; calls: Outcome[]; warnings: string[] }

type Options = { keepPeople?: boolean; base?: string | undefined }

/** Creates the document of a world from a recording. Throws `HarError` if the file contains no usable call. */
export async function makeRecordedWorld(text: string, workshop: Workshop, options: Options = {}): Promise<RecordedWorld> {
  const { entries } = replaceValues(readHar(text), options)
  if (entries.length === 0) throw new HarError('the recording is empty: use the portal or the API while it runs')
  const base = options.base ?? findBase(entries)
  if (base === undefined) throw new HarError('no entry is a call of the API; --base names its address, such as https://api.example/v1')
  const exchanges = leaveOutOthers(entries.map((source, index) => describeEntry(source, index + 1, base)))
  const used = exchanges.filter(({ becomes }) => becomes !== 'left out')
  if (used.length === 0) throw new HarError(`no answer of ${base} can be used:\n  ${listReasons(exchanges).join('\n  ')}`)
  const rows = createRows()
  for (const exchange of used) addRows(rows, exchange)
  const document = rows.document(timeOf(used[0]!.source))
  const warnings: string[] = []
  const draft = await openDraft(document, workshop, warnings)
  await compareReads(exchanges, draft, warnings)
  await draft.remove()
  const faults = listAnswers(exchanges)
  const calls = exchanges.map(({ entry, method, url, call, becomes, note }) => ({ entry, method, url, call, becomes, note }))
  return { document: `${JSON.stringify({ ...document, ...(faults.length > 0 && { faults }) }, null, 1)}\n`, calls, warnings }
}

/** The origin and the path prefix under which most endpoints of the contract were called. */
function findBase(entries: readonly HarEntry[]): string | undefined {
  const calls = new Map<string, Set<string>>()
  for (const { request } of entries) {
    const { origin, pathname } = new URL(request.url)
    const parts = pathname.split('/')
    for (const depth of [0, 1, 2]) {
      const endpoint = findEndpoint(request.method, `/${parts.slice(1 + depth).join('/')}`)
      const base = origin + parts.slice(0, 1 + depth).join('/')
      if (endpoint) calls.set(base, (calls.get(base) ?? new Set()).add(endpoint.name))
    }
  }
  return [...calls].sort(([, a], [, b]) => b.size - a.size)[0]?.[0]
}

/** The server's time, if it sends it. */
const timeOf = ({ startedDateTime, response }: HarEntry) => {
  const date = new Date(headerOf(response, 'date') ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? new Date(startedDateTime) : date
}

const headerOf = ({ headers }: { headers: HarEntry['request']['headers'] }, wanted: string) =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value

function describeEntry(source: HarEntry, entry: number, base: string): Exchange {
  const { request, response } = source
  const { origin, pathname, searchParams } = new URL(request.url)
  const isBelow = (origin + pathname).startsWith(`${base}/`)
  const path = isBelow ? (origin + pathname).slice(base.length) : pathname
  const endpoint = isBelow ? findEndpoint(request.method, path) : undefined
  const url = isBelow ? path + new URL(request.url).search : request.url
  const about = { source, entry, path, url, method: request.method, query: Object.fromEntries(searchParams) }
  const known = { ...about, call: endpoint?.name ?? null, route: endpoint?.route, answer: undefined, isPart: false }
  const leaveOut = (note: string): Exchange => ({ ...known, becomes: 'left out', note })
  const { status, content } = response
  if (!isBelow || !isApiPath(path)) return leaveOut('no call of the API')
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(request.method)) return leaveOut(`${request.method} has no answer to repeat`)
  if (status < 200) return leaveOut('no response')
  if (status === 304) return leaveOut('304: the browser had the body in its cache; record with an empty cache')
  if (status === 401) return leaveOut('401: a world asks for a session by itself')
  if (content.mimeType.includes('event-stream')) return leaveOut('a stream')
  if (endpoint && endpoint.route.safety !== 'read') return readChange(known)
  if (content.text === undefined && status !== 204) return leaveOut(content.comment ?? 'no body')
  if (!endpoint || status >= 300) return { ...known, answer: readBody(content), becomes: 'answer', note: '' }
  const reading = readTolerantly(schemaOf(endpoint.route, status), readBody(content))
  if (!reading.ok) return { ...known, answer: readBody(content), becomes: 'answer', note: 'not in the form of the contract' }
  const isPart = reading.next !== undefined || 'page' in known.query
  return {
    ...known,
    answer: reading.value,
    isPart,
    becomes: 'answer',
    note: reading.omitted > 0 ? `${reading.omitted} entries are incomplete` : '',
  }
}

const schemaOf = (route: Route, status: number) => route.response[status as keyof Route['response']] ?? getSuccess(route).schema

const readBody = ({ text = '' }: { text?: string | undefined }) => parseJson(text) ?? text

const readChange = (known: Omit<Exchange, 'becomes' | 'note'>): Exchange => ({
  ...known,
  answer: readBody(known.source.response.content),
  becomes: 'live',
  note: 'a change, which the world makes by itself',
})

/** A world has one account: calls of users other than the one with most calls are left out. */
function leaveOutOthers(exchanges: readonly Exchange[]): Exchange[] {
  const users = new Map<string, unknown>()
  for (const { call, answer, source } of exchanges) {
    const caller = callerOf(source)
    if (call === 'users.me' && caller && isUser(answer)) users.set(caller, answer.id)
    const { token, user } = (answer ?? {}) as { token?: unknown; user?: unknown }
    if (call === 'sessions.signIn' && typeof token === 'string' && isUser(user)) users.set(token, user.id)
  }
  const personOf = ({ call, answer, source }: Exchange) => {
    const { user } = (answer ?? {}) as { user?: unknown }
    if (call === 'sessions.signIn' && isUser(user)) return user.id
    const caller = callerOf(source)
    return caller === undefined ? undefined : (users.get(caller) ?? caller)
  }
  const counts = new Map<unknown, number>()
  for (const one of exchanges) counts.set(personOf(one), (counts.get(personOf(one)) ?? 0) + 1)
  counts.delete(undefined)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  const isOther = (one: Exchange) => personOf(one) !== undefined && personOf(one) !== most?.[0]
  return exchanges.map((one) =>
    isOther(one) ? { ...one, becomes: 'left out', note: 'the session of another person; record each alone' } : one,
  )
}

const isUser = (value: unknown): value is { id: unknown } => typeof value === 'object' && value !== null && 'id' in value

const callerOf = ({ request }: HarEntry) =>
  headerOf(request, 'authorization')?.replace(/^\w+ /, '') ?? /(?:^|; )sessionid=([^;]+)/.exec(headerOf(request, 'cookie') ?? '')?.[1]

function addRows(rows: ReturnType<typeof createRows>, exchange: Exchange) {
  const { call, answer, route, path, source } = exchange
  if (!call || !route || source.response.status >= 300) return
  // A sign-in is a change that creates a row.
  if (exchange.becomes === 'live' && call !== 'sessions.signIn') return rows.addCreated(call, answer)
  if (exchange.note === 'not in the form of the contract') return
  try {
    if (rows.add(call, { answer, params: findParams(route, path) }) && exchange.becomes === 'answer') exchange.becomes = 'rows'
  } catch {
    exchange.note = 'not in the form of the contract'
  }
}

const MOST_REPAIRS = 20

/** Creates a draft of the world; parts of the document that the server rejects are removed. */
async function openDraft(document: Record<string, unknown>, workshop: Workshop, warnings: string[]): Promise<Draft> {
  for (let turn = 1; ; turn++)
    try {
      return await workshop.open(JSON.stringify(document), readerOf(document))
    } catch (error) {
      const { errors } = (error instanceof RequestFailed ? (error.answer ?? {}) : {}) as { errors?: Record<string, string[]> }
      const paths = Object.entries(errors ?? {})
      if (turn > MOST_REPAIRS || !paths.some(([path]) => isRemovable(document, path))) throw error
      // From the end, so that the indexes of earlier rows stay valid.
      for (const [path, reasons] of paths.sort(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }))) {
        remove(document, path)
        warnings.push(`${path} is left out: ${reasons.join(', ')}`)
      }
    }
}

const readerOf = ({ users }: Record<string, unknown>) => String((users as { email?: unknown }[])[0]?.email)

const splitPath = (path: string) => path.split(/[.[\]]+/).filter(Boolean)

const isRemovable = (document: Record<string, unknown>, path: string) =>
  Array.isArray(document[splitPath(path)[0]!]) || path.startsWith('positions.')

/** Removes a field of a row or an element of a list; a row without a required field is removed entirely. */
function remove(document: Record<string, unknown>, path: string) {
  const [list = '', index = '', field, element] = splitPath(path)
  const rows = (document[list] ?? {}) as Record<string, Record<string, unknown>>
  const row = rows[index]
  const value = field === undefined ? undefined : row?.[field]
  if (Array.isArray(value) && element !== undefined) value.splice(Number(element), 1)
  else if (row && field !== undefined && field in row && !Array.isArray(row)) delete row[field]
  else if (Array.isArray(row) && field !== undefined) row.splice(Number(field), 1)
  else if (Array.isArray(rows)) rows.splice(Number(index), 1)
  else delete rows[index]
}

/**
 * Requests from the draft what was read before the first change. What it returns by itself needs no recorded response; rows that read
 * differently are reported.
 */
async function compareReads(exchanges: Exchange[], draft: Draft, warnings: string[]) {
  const seen = new Set<string>()
  let isChanged = false
  for (const exchange of exchanges) {
    const { call, becomes, source, method, url, answer } = exchange
    if (becomes === 'live') isChanged ||= source.response.status < 300 && call !== 'sessions.signIn'
    if ((becomes !== 'rows' && becomes !== 'answer') || !call || method !== 'GET') continue
    const isFirst = !seen.has(url)
    seen.add(url)
    if (becomes === 'rows' && (!isFirst || isChanged || exchange.isPart)) continue
    const now = await draft.read(url)
    const different = now.status === source.response.status ? findDifferences(answer, now.body) : [`status ${now.status}`]
    if (becomes === 'rows') {
      if (different.length > 0) warnings.push(`entry ${exchange.entry}, GET ${url} reads differently: ${different.join(', ')}`)
      continue
    }
    const isSame = source.response.status >= 400 ? now.status === source.response.status : different.length === 0
    const isDerived = DERIVED.includes(call) && source.response.status < 300
    if (isSame || isDerived) Object.assign(exchange, { becomes: 'live', note: 'the world answers it by itself' })
  }
}

/** The responses that the world repeats, in order; the last one stays. */
function listAnswers(exchanges: readonly Exchange[]): NewFault[] {
  const turns = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    if (exchange.becomes === 'left out') continue
    const key = [exchange.method, exchange.path, JSON.stringify(Object.entries(exchange.query).sort())].join(' ')
    turns.set(key, [...(turns.get(key) ?? []), exchange])
  }
  return [...turns.values()].flatMap((turn) => {
    const names = new Set(
      exchanges
        .filter(({ path, method }) => path === turn[0]!.path && method === turn[0]!.method)
        .flatMap(({ query }) => Object.keys(query)),
    )
    return turn.flatMap((exchange, index) => {
      if (exchange.becomes !== 'answer') return []
      const isLast = index === turn.length - 1
      return [formatAnswer(exchange, [...names], { ...(index > 0 && { after: index }), ...(!isLast && { times: 1 }) })]
    })
  })
}

function formatAnswer({ source: { response }, method, path, query, answer, route }: Exchange, names: string[], turn: object): NewFault {
  const location = headerOf(response, 'location')
  const isText = typeof answer === 'string'
  const headers = {
    ...(isText && answer !== '' && { 'content-type': response.content.mimeType || 'text/plain' }),
    ...(location && { location }),
  }
  const body = route && response.status < 300 ? readBody(response.content) : answer
  return {
    effect: 'respond',
    status: response.status,
    match: {
      method: method as 'GET',
      route: path,
      ...(names.length > 0 && { query: Object.fromEntries(names.map((name) => [name, query[name] ?? null])) }),
    },
    ...turn,
    ...(body !== '' && { body }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

/** The reasons why entries were left out, with the number of entries. */
export function listReasons(calls: readonly Outcome[]): string[] {
  const reasons = new Map<string, number[]>()
  for (const { becomes, note, entry } of calls) if (becomes === 'left out') reasons.set(note, [...(reasons.get(note) ?? []), entry])
  return [...reasons].map(([note, entries]) => `${entries.length === 1 ? 'entry' : 'entries'} ${shorten(entries)}: ${note}`)
}

const MOST_NUMBERS = 8
const shorten = (entries: number[]) =>
  entries.length > MOST_NUMBERS
    ? `${entries.slice(0, MOST_NUMBERS).join(', ')} and ${entries.length - MOST_NUMBERS} more`
    : entries.join(', ')
