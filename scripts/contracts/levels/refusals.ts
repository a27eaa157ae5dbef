import { randomUUID } from 'node:crypto'
import type { CallInput } from '#contracts/lib/client.ts'
import type { ErrorCode } from '#contracts/lib/errors.ts'
import { type Call, callNamed, calls } from '#scripts/contracts/client/endpoints.ts'
import { judgeRefusal } from '#scripts/contracts/client/judge.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { inputsOf, isAllowed, isRead, paramsOf } from './reads.ts'

/** Ids that no object has. */
const UNKNOWN: Record<string, unknown> = {
  id: 2_147_483_646,
  uuid: '00000000-0000-4000-8000-000000000000',
  reference: 'nobody-ordered-this',
}
const NOT_FOUND = 404

type Wrong = { name: string; title: string; input?: CallInput; raw?: string; code: ErrorCode }

/** Invalid requests that change nothing even if the backend accepts them. */
const WRONG: Wrong[] = [
  { name: 'sessions.signIn', title: 'empty body', input: { body: {} }, code: 'validation_error' },
  { name: 'sessions.signIn', title: 'half a body', raw: '{"username":', code: 'malformed_json' },
  { name: 'sessions.requestReset', title: 'an address that is none', input: { body: { email: 'nobody' } }, code: 'validation_error' },
  { name: 'users.register', title: 'empty body', input: { body: {} }, code: 'validation_error' },
]

/** Checks the errors for a wrong password, a missing token, an unknown id and malformed input. */
export async function refusals(run: Run) {
  await wrongPassword(run)
  for (const { name, title, input, raw, code } of WRONG)
    await refuses(run, callNamed(name), title, code, input, { token: null, ...(raw && { raw }) })
  for (const call of calls.filter((each) => isRead(each) && each.route.access !== 'public'))
    await refuses(run, call, 'no token', 'not_authenticated', unknownTo(call), { token: null })
  if (!run.viewer) return
  await refuses(run, callNamed('users.me'), 'a wrong token', 'not_authenticated', {}, { token: 'wrong' })
  for (const call of calls.filter((each) => isRead(each) && paramsOf(each.route).length > 0 && isAllowed(each, run.viewer?.role ?? null)))
    await refuses(run, call, 'unknown id', NOT_FOUND, unknownTo(call))
  await malformedDate(run)
}

/** Uses an existing account, unless no user is signed in. */
async function wrongPassword(run: Run) {
  const username = run.viewer?.email ?? `${randomUUID()}@example.com`
  await refuses(
    run,
    callNamed('sessions.signIn'),
    'wrong password',
    'invalid_credentials',
    { body: { username, password: randomUUID() } },
    { token: null },
  )
}

async function malformedDate(run: Run) {
  const call = callNamed('positions.history')
  const inputs = run.wants(call.name) ? await inputsOf(run.backend, call) : []
  if (typeof inputs === 'string') return run.skips({ level: 'errors', call, title: 'a date that is none' }, inputs)
  if (inputs.length > 0)
    await refuses(run, call, 'a date that is none', 'validation_error', { ...inputs[0], query: { not_before: 'yesterday' } })
}

const unknownTo = ({ route }: Call): CallInput => ({
  params: Object.fromEntries(paramsOf(route).map((name) => [name, UNKNOWN[name] ?? UNKNOWN.id])),
})

type How = Parameters<Run['backend']['ask']>[2]

async function refuses(run: Run, call: Call, title: string, wanted: ErrorCode | typeof NOT_FOUND, input?: CallInput, how?: How) {
  if (!run.wants(call.name)) return
  await run.tries(
    { level: 'errors', call, title },
    () => run.backend.ask(call, input, how),
    (answer) => judgeRefusal(call.route, answer, wanted),
  )
}
