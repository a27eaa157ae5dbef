import type { Call } from './contracts.calls.ts'
import { calls } from './contracts.calls.ts'
import { isSuccess } from './judge.ts'
import type { Answer } from './send.ts'
import type { Finding } from './verdict.ts'

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
