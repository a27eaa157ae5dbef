import type { OwnNames } from '#scripts/contracts/port.ts'
import type { Backend } from './backend.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { type Finding, type Verdict, worstVerdict } from './findings.ts'
import type { Options } from './flags.ts'
import type { Io } from './io.ts'
import { findDeviations, isSuccess } from './judge.ts'
import { type BackendResponse, Unreachable } from './send.ts'

/** Fields of the trackers that the portal does not find by itself. */
export type TrackerNames = {
  /** For `names` of the configuration: those of the file, and those found. */
  names: OwnNames
  /** Fields that no tracker has, as a sentence. */
  lost: string[]
  findings: Finding[]
}

export type Proof = { name: string; state: 'confirmed' | 'refuted' | 'untested'; reason: string }

const NOT_REQUESTED = 'not requested'

/** Why a check that needs a user was skipped. */
export const NOT_SIGNED_IN = 'no user is signed in'

/** Tracks whether the backend confirms or refutes the response bodies that we had to assume. */
function createProofLog(isSelected: (name: string) => boolean) {
  const proofs = new Map<string, Proof>(
    endpoints
      .filter(({ name, route }) => route.provenance === 'assumed' && isSelected(name))
      .map(({ name }) => [name, { name, state: 'untested', reason: NOT_REQUESTED }]),
  )
  const set = (name: string, state: Proof['state'], reason: string) => proofs.get(name) && proofs.set(name, { name, state, reason })
  return {
    all: () => [...proofs.values()],
    skip: (name: string, reason: string) => set(name, 'untested', reason),
    update({ name }: Endpoint, response: BackendResponse, findings: readonly Finding[]) {
      if (proofs.get(name)?.state === 'refuted') return
      const wrong = findings.find(({ verdict }) => verdict !== 'drift+')
      if (response.status < 200 || response.status > 299) {
        if (proofs.get(name)?.reason === NOT_REQUESTED) set(name, 'untested', `only status ${response.status} was seen`)
      } else if (wrong) set(name, 'refuted', `${wrong.path} ${wrong.message}`.trim())
      else if (!isSuccess(response)) set(name, 'refuted', `${response.status}`)
      else if (!isEmpty(response.body)) set(name, 'confirmed', '')
      else if (proofs.get(name)?.state === 'untested') set(name, 'untested', 'only an empty list was seen')
    },
  }
}

/** An empty list says nothing about the shape of its elements. */
export const isEmpty = (body: unknown): boolean =>
  Array.isArray(body) ? body.length === 0 : typeof body === 'object' && body !== null && 'results' in body && isEmpty(body.results)

export type Level = 'preflight' | 'reads' | 'errors' | 'write' | 'destructive' | 'parity' | 'portal'

/** Result of one check; `note` is the response in short, or why the check was skipped. */
export type Result = { level: Level; name: string; title: string; verdict: Verdict; findings: Finding[]; note: string }

type Trial = { level: Level; endpoint: Endpoint; title?: string }
type Evaluate = (response: BackendResponse) => Finding[]

/** The signed-in user, as far as the backend describes them. */
export type Viewer = { email: string | null; role: string | null }

/** A feature that the backend lacks; `isSpare` for a call that the portal can do without. */
export type Missing = { name: string; call: string; note: string; leftOut: string; isSpare: boolean }

export type Run = {
  io: Io
  options: Options
  backend: Backend
  viewer: Viewer | null
  isSelected(name: string): boolean
  /** Fields that no tracker has under a name that the portal knows. */
  trackerNames: TrackerNames
  /** The missing feature that an endpoint belongs to. */
  findMissing(name: string): Missing | undefined
  report(result: Omit<Result, 'verdict'> & { verdict?: Verdict }): void
  /** Sends a request and reports the findings; resolves to undefined if the backend is unreachable. */
  checkResponse(trial: Trial, request: () => Promise<BackendResponse>, judge: Evaluate): Promise<BackendResponse | undefined>
  skip(trial: Trial, reason: string): void
}

type RunParts = Omit<Run, 'report' | 'checkResponse' | 'skip'>

export function createRunLog(isSelected: Run['isSelected']) {
  const results: Result[] = []
  const proofs = createProofLog(isSelected)
  const report: Run['report'] = (result) => void results.push({ verdict: worstVerdict(result.findings), ...result })
  const checkResponse: Run['checkResponse'] = async ({ level, endpoint, title = '' }, request, evaluate) => {
    const { name, route } = endpoint
    try {
      const response = await request()
      const findings = evaluate(response)
      proofs.update(endpoint, response, findDeviations(route, response))
      report({ level, name, title, findings, note: `${response.status} ${route.method} ${route.path}` })
      return response
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      report({ level, name, title, verdict: 'unreachable', findings: [], note: error.message })
      return undefined
    }
  }
  const skip: Run['skip'] = ({ level, endpoint, title = '' }, reason) => {
    proofs.skip(endpoint.name, reason)
    report({ level, name: endpoint.name, title, verdict: 'skipped', findings: [], note: reason })
  }
  return { results, proofs, on: (parts: RunParts): Run => ({ ...parts, report, checkResponse, skip }) }
}
