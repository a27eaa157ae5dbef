import type { Backend } from './backend.ts'
import { type Call, calls } from './endpoints.ts'
import { type Finding, type Verdict, verdictOf } from './findings.ts'
import type { Options } from './flags.ts'
import type { Io } from './io.ts'
import { differences, isSuccess } from './judge.ts'
import { type Answer, Unreachable } from './send.ts'

export type Proof = { name: string; state: 'confirmed' | 'refuted' | 'untested'; reason: string }

const NOT_CALLED = 'not called'

/** Tracks whether the response bodies we had to assume are confirmed or refuted by the backend. */
export function createProofs(wants: (name: string) => boolean) {
  const proofs = new Map<string, Proof>(
    calls
      .filter(({ name, route }) => route.provenance === 'assumed' && wants(name))
      .map(({ name }) => [name, { name, state: 'untested', reason: NOT_CALLED }]),
  )
  const set = (name: string, state: Proof['state'], reason: string) => proofs.get(name) && proofs.set(name, { name, state, reason })
  return {
    all: () => [...proofs.values()],
    skip: (name: string, reason: string) => set(name, 'untested', reason),
    weigh({ name, route }: Call, answer: Answer, findings: readonly Finding[]) {
      if (proofs.get(name)?.state === 'refuted') return
      const wrong = findings.find(({ verdict }) => verdict !== 'drift+')
      if (answer.status < 200 || answer.status > 299) {
        if (proofs.get(name)?.reason === NOT_CALLED) set(name, 'untested', `only ${answer.status} was answered`)
      } else if (wrong) set(name, 'refuted', `${wrong.path} ${wrong.message}`.trim())
      else if (!isSuccess(route, answer)) set(name, 'refuted', `${answer.status}`)
      else if (!isEmpty(answer.body)) set(name, 'confirmed', '')
      else if (proofs.get(name)?.state === 'untested') set(name, 'untested', 'only an empty list was seen')
    },
  }
}

/** An empty list says nothing about the shape of its elements. */
export const isEmpty = (body: unknown): boolean =>
  Array.isArray(body) ? body.length === 0 : typeof body === 'object' && body !== null && 'results' in body && isEmpty(body.results)

export type Level = 'preflight' | 'reads' | 'errors' | 'write' | 'destructive' | 'parity'

/** Result of one check; `note` is the response in short, or why the check was skipped. */
export type Result = { level: Level; name: string; title: string; verdict: Verdict; findings: Finding[]; note: string }

type Trial = { level: Level; call: Call; title?: string }
type Judge = (answer: Answer) => Finding[]

/** The signed-in user, as far as the backend says. */
export type Viewer = { email: string | null; role: string | null }

export type Run = {
  io: Io
  options: Options
  backend: Backend
  /** Null if no user is signed in. */
  viewer: Viewer | null
  wants(name: string): boolean
  report(result: Omit<Result, 'verdict'> & { verdict?: Verdict }): void
  /** Sends a request and reports the findings; resolves with undefined if the backend is unreachable. */
  tries(trial: Trial, ask: () => Promise<Answer>, judge: Judge): Promise<Answer | undefined>
  skips(trial: Trial, reason: string): void
}

type Parts = Pick<Run, 'io' | 'options' | 'backend' | 'viewer' | 'wants'>

/** Collects the results of a run. */
export function createNotes(wants: Run['wants']) {
  const results: Result[] = []
  const proofs = createProofs(wants)
  const report: Run['report'] = (result) => void results.push({ verdict: verdictOf(result.findings), ...result })
  const tries: Run['tries'] = async ({ level, call, title = '' }, ask, judge) => {
    const { name, route } = call
    try {
      const answer = await ask()
      const findings = judge(answer)
      proofs.weigh(call, answer, differences(route, answer))
      report({ level, name, title, findings, note: `${answer.status} ${route.method} ${route.path}` })
      return answer
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      report({ level, name, title, verdict: 'unreachable', findings: [], note: error.message })
      return undefined
    }
  }
  const skips: Run['skips'] = ({ level, call, title = '' }, reason) => {
    proofs.skip(call.name, reason)
    report({ level, name: call.name, title, verdict: 'skipped', findings: [], note: reason })
  }
  return { results, proofs, on: (parts: Parts): Run => ({ ...parts, report, tries, skips }) }
}
