import { randomUUID } from 'node:crypto'
import { type Endpoint, endpoints, getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import { evaluateError } from '#scripts/contracts/client/judge.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import type { ErrorCode, RequestInput } from '#scripts/contracts/port.ts'
import { findInputs, isAllowed, isRead, paramsOf } from './reads.ts'
import { unknownInput } from './route-probe.ts'

const NOT_FOUND = 404
/** A price list contains no personal data. */
const OPEN_TO_ALL = 'subscriptions.prices'

type Wrong = { name: string; title: string; input?: RequestInput; raw?: string; code: ErrorCode }

/** Invalid requests that change nothing even if the backend accepts them. */
const INVALID_REQUESTS: Wrong[] = [
  { name: 'sessions.signIn', title: 'empty body', input: { body: {} }, code: 'validation_error' },
  { name: 'sessions.signIn', title: 'truncated body', raw: '{"username":', code: 'malformed_json' },
  { name: 'sessions.requestReset', title: 'invalid e-mail', input: { body: { email: 'nobody' } }, code: 'validation_error' },
  { name: 'users.register', title: 'empty body', input: { body: {} }, code: 'validation_error' },
]

export async function checkErrors(run: Run) {
  await checkWrongPassword(run)
  for (const { name, title, input, raw, code } of INVALID_REQUESTS)
    await checkError(run, getEndpoint(name), title, code, input, { token: null, ...(raw && { raw }) })
  const guarded = endpoints.filter((each) => isRead(each) && each.route.access !== 'public' && each.name !== OPEN_TO_ALL)
  for (const endpoint of guarded) await checkError(run, endpoint, 'no token', 'not_authenticated', unknownInput(endpoint), { token: null })
  if (!run.viewer) return
  await checkError(run, getEndpoint('users.me'), 'wrong token', 'not_authenticated', {}, { token: 'wrong' })
  for (const endpoint of endpoints.filter(
    (each) => isRead(each) && paramsOf(each.route).length > 0 && isAllowed(each, run.viewer?.role ?? null),
  ))
    await checkError(run, endpoint, 'unknown id', NOT_FOUND, unknownInput(endpoint))
  await checkMalformedDate(run)
}

/** Uses an existing account, unless no user is signed in. */
async function checkWrongPassword(run: Run) {
  const username = run.viewer?.email ?? `${randomUUID()}@example.com`
  await checkError(
    run,
    getEndpoint('sessions.signIn'),
    'wrong password',
    'invalid_credentials',
    { body: { username, password: randomUUID() } },
    { token: null },
  )
}

async function checkMalformedDate(run: Run) {
  const endpoint = getEndpoint('positions.history')
  const isWanted = run.isSelected(endpoint.name) && !run.findMissing(endpoint.name)
  const inputs = isWanted ? await findInputs(run.backend, endpoint) : []
  if (typeof inputs === 'string') return run.skip({ level: 'errors', endpoint, title: 'invalid date' }, inputs)
  if (inputs.length > 0)
    await checkError(run, endpoint, 'invalid date', 'validation_error', { ...inputs[0], query: { not_before: 'yesterday' } })
}

type RequestOverrides = Parameters<Run['backend']['request']>[2]

async function checkError(
  run: Run,
  endpoint: Endpoint,
  title: string,
  wanted: ErrorCode | typeof NOT_FOUND,
  input?: RequestInput,
  how?: RequestOverrides,
) {
  if (!run.isSelected(endpoint.name) || run.findMissing(endpoint.name)) return
  await run.checkResponse(
    { level: 'errors', endpoint, title },
    () => run.backend.request(endpoint, input, how),
    (response) => evaluateError(endpoint.route, response, wanted),
  )
}
