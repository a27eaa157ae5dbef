import type { Backend } from './backend.ts'
import type { Options } from './check-flags.ts'
import type { Call } from './contracts.calls.ts'
import type { Io } from './io.ts'
import { differences } from './judge.ts'
import { createProofs } from './proofs.ts'
import { type Answer, Unreachable } from './send.ts'
import { type Finding, type Verdict, verdictOf } from './verdict.ts'

export type Level = 'preflight' | 'reads' | 'errors' | 'write' | 'destructive' | 'parity'

/** One thing that was tried; `note` says what came back, or why nothing was tried. */
export type Result = { level: Level; name: string; title: string; verdict: Verdict; findings: Finding[]; note: string }

type Trial = { level: Level; call: Call; title?: string }
type Judge = (answer: Answer) => Finding[]

/** Who is signed in, as far as the backend tells. */
export type Viewer = { email: string | null; role: string | null }

export type Run = {
  io: Io
  options: Options
  backend: Backend
  /** Null when nobody is signed in. */
  viewer: Viewer | null
  wants(name: string): boolean
  report(result: Omit<Result, 'verdict'> & { verdict?: Verdict }): void
  /** Makes a call and notes what is wrong with the answer, which is undefined when none came. */
  tries(trial: Trial, ask: () => Promise<Answer>, judge: Judge): Promise<Answer | undefined>
  skips(trial: Trial, reason: string): void
}

type Parts = Pick<Run, 'io' | 'options' | 'backend' | 'viewer' | 'wants'>

/** What is noted of a whole run, level by level. */
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
