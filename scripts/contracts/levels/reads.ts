import { type Call, calls } from '#scripts/contracts/client/contracts.calls.ts'
import { judge } from '#scripts/contracts/client/judge.ts'
import { isEmpty } from '#scripts/contracts/client/proofs.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import type { Answer } from '#scripts/contracts/client/send.ts'
import { inputsOf } from './inputs.ts'

/** Whether an endpoint is a GET without side effects. */
export const isRead = ({ route }: Call) => route.method === 'GET' && route.safety === 'read'

/** Whether a role may use an endpoint; an unknown role may try. */
export const isAllowed = ({ route: { access } }: Call, role: string | null) =>
  access === 'public' || (access !== 'device' && (role === null || access.some((one) => one === role)))

/** Checks every read, with ids taken from the lists. */
export async function reads(run: Run) {
  for (const call of calls.filter(({ name, route }) => route.method === 'GET' && run.wants(name))) await read(run, call)
}

async function read({ backend, viewer, ...run }: Run, call: Call) {
  const trial = { level: 'reads', call } as const
  if (!isRead(call)) return run.skips(trial, 'changes something when it succeeds')
  if (!viewer) return run.skips(trial, 'nobody is signed in')
  if (!isAllowed(call, viewer.role)) return run.skips(trial, `not for the role ${viewer.role}`)
  const inputs = await inputsOf(backend, call)
  if (typeof inputs === 'string') return run.skips(trial, inputs)
  const asks = inputs.length === 0 ? [() => backend.read(call.name)] : inputs.map((input) => () => backend.ask(call, input))
  await run.tries(
    trial,
    () => mostTelling(asks),
    (answer) => judge(call.route, answer),
  )
}

/** The first response that is not empty, or else the first of all. */
async function mostTelling(asks: (() => Promise<Answer>)[]): Promise<Answer> {
  let first: Answer | undefined
  for (const ask of asks) {
    const answer = await ask()
    if (answer.status >= 500 || (answer.status < 300 && !isEmpty(answer.body))) return answer
    first ??= answer
  }
  return first!
}
