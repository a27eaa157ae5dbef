import { endpoints } from '#scripts/contracts/client/endpoints.ts'
import type { FINDING_VERDICTS, Finding } from '#scripts/contracts/client/findings.ts'
import { wordHabit } from '#scripts/contracts/client/habits.ts'

type Checked = { level: string; name: string; title: string; verdict: string; note: string; known: boolean; findings: readonly Finding[] }

/** One cause of deviations, with every place where it shows. `isKnown`: the baseline contains all of its failures. */
export type Cause = {
  verdict: (typeof FINDING_VERDICTS)[number] | 'unreachable'
  message: string
  effect?: string
  habit?: string
  count: number
  calls: string[]
  places: { call: string; path: string; title: string }[]
  isKnown: boolean
}

/** Deviations of the whole backend, in whatever call and field they show. */
const OF_THE_BACKEND = new Set([
  'number-as-text',
  'text-as-number',
  'fraction',
  'boolean-as-text',
  'other-instant',
  'other-case',
  'id-as-text',
  'page-for-list',
  'list-for-page',
  'other-page',
  'wrapped',
  'error-body',
  'other-status',
  'other-content-type',
])

const ORDER = ['fail', 'unreachable', 'tolerated', 'enum?', 'drift+']

/** Groups the deviations of all checks by their cause: failures first, then the most frequent ones of each verdict. */
export function findCauses(lines: readonly Checked[]): Cause[] {
  const causes = new Map<string, Cause>()
  for (const line of lines) for (const finding of listFindings(line)) addPlace(causes, line, finding)
  return [...causes.values()].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || b.calls.length - a.calls.length)
}

const listFindings = ({ verdict, note, findings }: Checked) =>
  verdict === 'unreachable' ? [{ verdict, path: '', message: note } as const] : findings

function addPlace(causes: Map<string, Cause>, { name, title, known }: Checked, finding: Omit<Finding, 'verdict'> & Pick<Cause, 'verdict'>) {
  const { verdict, path, habit, effect } = finding
  const call = finding.call ?? name
  const isWide = habit !== undefined && OF_THE_BACKEND.has(habit)
  const message = finding.cause ?? (isWide ? wordHabit(habit).came : finding.message)
  const key = [verdict, message, isWide || finding.cause ? '' : path, effect ?? ''].join('|')
  const cause = causes.get(key) ?? {
    ...{ verdict, message, count: 0, calls: [], places: [], isKnown: true },
    ...(effect !== undefined && { effect }),
    ...(habit !== undefined && { habit }),
  }
  const isListed = cause.places.some((place) => place.call === call && place.path === path)
  causes.set(key, {
    ...cause,
    count: cause.count + 1,
    calls: cause.calls.includes(call) ? cause.calls : [...cause.calls, call],
    places: isListed ? cause.places : [...cause.places, { call, path, title }],
    isKnown: cause.isKnown && known,
  })
}

const SHOWN = 4

/** A cause in one line: what was received, what a user notices, and where. */
export function describeCause({ message, effect, habit = '', calls, places }: Cause): string {
  const [first] = places
  const isOnePath = places.every((place) => place.path === first?.path)
  const path = isOnePath && !OF_THE_BACKEND.has(habit) ? (first?.path ?? '') : ''
  const said = [path && path !== 'status' ? `${path}: ` : '', message, effect ? ` (${effect})` : ''].join('')
  if (places.length === 1) return `${calls[0]}${first?.title ? `, ${first.title}:` : ''} ${said}`
  if (calls.length === 1) return `${calls[0]} ${said}, ${places.length} fields`
  const more = calls.length - SHOWN
  return `${said} on ${calls.length} calls: ${calls.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

export type Explanation = { came: string; wanted: string; effect: string; fix: string }

/** What was received, what the contract says, how the portal handles it, and how to fix it. */
export function explain({ verdict, path, message, habit, effect }: Finding | (Cause & { path: string })): Explanation {
  const isFailure = verdict === 'fail' || verdict === 'unreachable'
  const cannot = path === 'status' || path === 'code' ? 'takes it for another outcome' : 'cannot use it'
  if (habit !== undefined) {
    const words = wordHabit(habit)
    return { ...words, came: splitMessage(message).came, effect: effect ?? words.effect, ...(isFailure && { effect: effect ?? cannot }) }
  }
  if (isFailure) return { ...splitMessage(message), effect: effect ?? cannot, fix: 'answer as the contract says' }
  return { ...splitMessage(message), effect: effect ?? 'ignored', fix: 'nothing needs to change' }
}

const PATTERNS: [RegExp, (first: string, second: string) => Pick<Explanation, 'came' | 'wanted'>][] = [
  [/^Invalid input: expected (.+), received undefined$/, (wanted) => ({ came: 'nothing: it is missing', wanted })],
  [/^Invalid input: expected (.+), received (.+)$/, (wanted, came) => ({ came, wanted })],
  [/^(.+) is not one of (.+)$/, (came, wanted) => ({ came, wanted: `one of ${wanted}` })],
  [/^(.+) instead of (.+)$/, (came, wanted) => ({ came, wanted })],
  [/^(not in the contract)$/, () => ({ came: 'a field that the contract does not know', wanted: 'no such field' })],
]

function splitMessage(message: string): Pick<Explanation, 'came' | 'wanted'> {
  for (const [pattern, split] of PATTERNS) {
    const found = pattern.exec(message)
    if (found) return split(found[1] ?? '', found[2] ?? '')
  }
  return { came: message, wanted: 'see docs/openapi.json' }
}

/** The method and path of a call; empty for a check that is not a call. */
export function describeCall(name: string): string {
  const found = endpoints.find((endpoint) => endpoint.name === name)
  return found ? `${found.route.method} ${found.route.path}` : ''
}
