import type { Expected, FaultMatch, NewFault } from '#contracts/mock/faults.ts'
import { endpointsByName } from '#server/mock/lib/endpoints.ts'
import { type Fault, isMiss } from './faults.ts'
import { isTooSlow } from './respond.ts'

type Counted = NewFault & Pick<Fault, 'matched' | 'happened'>
type Stream = Extract<NewFault, { effect: 'stream' }>

/** Describes the misses of a fault so far. */
export function listNotes({ match, matched, happened, paths }: Pick<Fault, 'match' | 'matched' | 'happened' | 'paths'>): string[] {
  const slow = [match?.query, match?.headers, match?.body]
    .flatMap((values) => Object.values(values ?? {}))
    .flatMap((value) => (value !== null && typeof value === 'object' && isTooSlow(value.matches) ? [value.matches] : []))
  if (slow.length > 0) return slow.map((pattern) => `the pattern /${pattern}/ takes too long, and matches nothing from now on`)
  if (matched === 0) return ['never happened: no request matched it']
  if (happened === 0) return [`never happened: ${matched === 1 ? 'one request' : `${matched} requests`} matched it, and it affected none`]
  return [...paths].flatMap(([path, effect]) => {
    if (!isMiss(effect)) return []
    const hint = effect.nearest === undefined ? '' : ` (did you mean ${effect.nearest}?)`
    return [`${path} ${effect.hasHit ? 'is new in the response' : 'hit nothing in the response'}${hint}`]
  })
}

/** Describes what a fault does from now on: "GET /devices/ answers 503, next 3 times". */
export function describeFault(fault: Counted): string {
  const { after = 0, times, probability, matched, happened } = fault
  const left = times === undefined ? undefined : times - happened
  const still = Math.max(0, after - matched)
  return [
    `${describeCalls(fault.match)} ${describeEffect(fault)}`,
    ...(still > 0 ? [`after ${still === 1 ? 'one more call' : `${still} more calls`}`] : []),
    ...(left === undefined ? [] : [left <= 0 ? 'no more' : left === 1 ? 'next time' : `next ${left} times`]),
    ...(probability === undefined ? [] : [`in ${Math.round(probability * 100)} % of the calls`]),
  ].join(', ')
}

function describeCalls({ method, route, persona, access, query, headers, body }: FaultMatch = {}) {
  const known = route === undefined ? undefined : endpointsByName.get(route)
  const calls = known
    ? `${known.method} ${known.path}`
    : route === undefined
      ? `every ${method ?? 'call'}`
      : route.startsWith('/')
        ? `${method ?? 'any'} ${route}`
        : `every ${method ?? 'call'} of ${route}`
  const level = access && { public: 'without a session', device: 'of a device', signed_in: 'with a session' }[access]
  const parts = [
    ...describeValues('', query, 'in the query'),
    ...describeValues('the header ', headers),
    ...describeValues('', body, 'in the body'),
  ]
  const words = [calls, level, persona && `by ${persona}`, parts.length > 0 && `with ${parts.join(' and ')}`].filter(Boolean).join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const describeValues = (before: string, values: Record<string, Expected> = {}, where = '') =>
  Object.entries(values).map(([name, value]) => {
    const isPattern = value !== null && typeof value === 'object'
    return `${before}${name} ${isPattern ? `like /${value.matches}/` : JSON.stringify(value)} ${where}`.trim()
  })

function describeEffect(fault: NewFault): string {
  switch (fault.effect) {
    case 'status':
      return `answers ${fault.status}${fault.code ? ` ${fault.code}` : ''}`
    case 'respond':
      return `answers ${fault.status} in place of the server`
    case 'latency':
      return `waits ${fault.jitter_ms ? `${fault.ms} to ${fault.ms + fault.jitter_ms}` : fault.ms} ms`
    case 'hang':
      return fault.ms ? `is cut off after ${fault.ms} ms without an answer` : 'never gets an answer'
    case 'reset':
      return 'is cut off at once'
    case 'empty':
      return 'answers without a body'
    case 'malformed':
      return 'answers with half of the body'
    case 'slow':
      return fault.ms ? `answers bit by bit over ${fault.ms} ms` : `answers at ${fault.bytes_per_second} bytes a second`
    case 'stream':
      return describeStream(fault)
    case 'mutate': {
      const changes = [
        ...Object.entries(fault.set ?? {}).map(([path, value]) => `${path} as ${JSON.stringify(value)}`),
        ...(fault.remove ?? []).map((path) => `no ${path}`),
      ]
      return `answers with ${changes.join(', ')}`
    }
    case 'stale':
      return 'repeats its first answer'
  }
}

function describeStream({ action, every }: Stream) {
  const which =
    every === 1 ? 'every event' : every === 2 ? 'every second event' : every === 3 ? 'every third event' : `every ${every}th event`
  const effects = {
    drop: `loses ${which}`,
    duplicate: `sends ${which} twice`,
    reorder: `sends ${which} after the next one`,
    stall: every === 1 ? 'sends no events' : `sends no events after ${every - 1}`,
  }
  return effects[action]
}
