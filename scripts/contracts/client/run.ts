import type { Backend } from './backend.ts'
import type { Options } from './check-flags.ts'
import type { Call } from './contracts.calls.ts'
import type { Io } from './io.ts'
import { differences } from './judge.ts'
import { createProofs } from './proofs.ts'
import { type Answer, Unreachable } from './send.ts'
import { type Finding, type Verdict, verdictOf } from './verdict.ts'

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
