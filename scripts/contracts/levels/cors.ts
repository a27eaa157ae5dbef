import { CSRF_HEADER } from '#contracts/lib/constants.ts'
import type { Backend } from '#scripts/contracts/client/backend.ts'
import { type Call, callNamed } from '#scripts/contracts/client/contracts.calls.ts'
import type { Answer } from '#scripts/contracts/client/send.ts'
import { drift, type Finding, fail } from '#scripts/contracts/client/verdict.ts'

/** Methods that need no preflight permission. */
const SIMPLE_METHODS = ['GET', 'HEAD', 'POST']

/** Checks that a browser lets a portal of that origin read, write, and see why a request failed. */
export async function cors(backend: Backend, origin: string): Promise<Finding[]> {
  const read = await asked(backend, origin, callNamed('devices.list'), ['Authorization'])
  const write = await asked(backend, origin, callNamed('users.changeSettings'), ['Authorization', 'Content-Type', CSRF_HEADER])
  const refusal = await backend.ask(callNamed('users.me'), {}, { token: null, headers: { origin } })
  return [
    ...read,
    ...write,
    ...allowed(refusal, origin, `a ${refusal.status} of GET /users/me/`),
    ...(listed(refusal, 'access-control-expose-headers').includes('date')
      ? []
      : [drift('access-control-expose-headers', 'Date is missing: the portal goes by the clock of its device')]),
  ]
}

/** Sends the preflight request of a browser. */
async function asked(backend: Backend, origin: string, { name, route }: Call, headers: string[]): Promise<Finding[]> {
  const question = {
    origin,
    'access-control-request-method': route.method,
    'access-control-request-headers': headers.join(',').toLowerCase(),
  }
  const options = { name, route: { ...route, method: 'OPTIONS' as 'GET' } }
  const answer = await backend.ask(options, {}, { token: null, headers: question })
  const subject = `OPTIONS ${route.path}`
  if (answer.status < 200 || answer.status > 299) return [fail(subject, `${answer.status}: a browser makes no call after that`)]
  const methods = listed(answer, 'access-control-allow-methods')
  const isMethod = SIMPLE_METHODS.includes(route.method) || methods.includes('*') || methods.includes(route.method.toLowerCase())
  const known = listed(answer, 'access-control-allow-headers')
  // `*` covers every header except Authorization.
  const missing = headers.filter((one) => !known.includes(one.toLowerCase()) && !(known.includes('*') && one !== 'Authorization'))
  return [
    ...allowed(answer, origin, subject),
    ...(isMethod ? [] : [fail(subject, `does not allow ${route.method}`)]),
    ...missing.map((one) => fail(subject, `does not allow the header ${one}`)),
  ]
}

function allowed({ headers }: Answer, origin: string, subject: string): Finding[] {
  const given = headers.get('access-control-allow-origin')
  return given === origin || given === '*' ? [] : [fail(subject, `allows ${given ?? 'no origin'} instead of ${origin}`)]
}

const listed = ({ headers }: Answer, name: string) => (headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase())
