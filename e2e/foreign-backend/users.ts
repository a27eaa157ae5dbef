import { type Body, type Call, type Route, readText, reply } from './calls.ts'
import { findPlan, presentPrices, presentSettings, presentUser } from './present.ts'
import { Refusal, refuseField } from './replies.ts'
import { createToken, type User } from './state.ts'
import { findTrackerIn } from './trackers-of-calls.ts'

const MINUTE = 60_000
const SHORTEST_PASSWORD = 8

/** Rejects further sign-ins of a username that failed too often within a minute. */
function throttle({ state, habits, now }: Call, username: string) {
  const recent = (state.failures.get(username) ?? []).filter((at) => at > now.getTime() - MINUTE)
  state.failures.set(username, recent)
  if (recent.length < habits.signInsPerMinute) return
  const seconds = Math.ceil((recent[0]! + MINUTE - now.getTime()) / 1000)
  throw new Refusal(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

function signIn(call: Call) {
  const { state, habits, body, now } = call
  const username = readText(body, 'username', 'email') ?? ''
  const password = readText(body, 'password')
  if (!username) throw refuseField('username', 'This field is required.')
  if (!password) throw refuseField('password', 'This field is required.')
  throttle(call, username)
  const user = state.users.find((one) => one.email === username || one.username === username)
  if (user?.password !== password) {
    state.failures.set(username, [...(state.failures.get(username) ?? []), now.getTime()])
    const message = 'Unable to log in with provided credentials.'
    if (habits.wrongPassword === 401) throw new Refusal(401, message)
    throw new Refusal(400, message, { fields: { non_field_errors: [message] } })
  }
  const token = createToken()
  state.sessions.set(token, user.id)
  return reply({ user: habits.loginUser === 'object' ? presentUser(user) : user.username, token })
}

function register({ state, body }: Call) {
  const email = readText(body, 'email', 'username') ?? ''
  const password = readText(body, 'password', 'password1') ?? ''
  if (!/^\S+@\S+\.\S+$/.test(email)) throw refuseField('email', 'Enter a valid email address.')
  if (state.users.some((one) => one.email === email)) throw refuseField('email', 'user with this email already exists.')
  if (password.length < SHORTEST_PASSWORD)
    throw refuseField('password', 'This password is too short. It must contain at least 8 characters.')
  const user: User = {
    id: Math.max(0, ...state.users.map(({ id }) => id)) + 1,
    username: email,
    email,
    password,
    emailConfirmed: false,
    role: 'user',
    firstName: readText(body, 'firstname', 'first_name') ?? '',
    lastName: readText(body, 'lastname', 'last_name') ?? '',
    birthday: null,
    marketing: false,
  }
  state.users.push(user)
  state.mails.push(email)
  return reply(presentUser(user), 201)
}

function changeSettings(call: Call, user: User) {
  const { body, habits } = call
  const birthday = body.birthday
  if (birthday !== undefined && birthday !== null && birthday !== '' && !/^\d{4}-\d\d-\d\d$/.test(String(birthday))) {
    throw refuseField('birthday', 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.')
  }
  user.firstName = readText(body, 'firstname') ?? user.firstName
  user.lastName = readText(body, 'lastname') ?? user.lastName
  if (birthday !== undefined) user.birthday = birthday ? String(birthday) : null
  if (habits.settings === 'all' && typeof body.marketing_emails === 'boolean') user.marketing = body.marketing_emails
  return reply(presentSettings(user, habits))
}

function removeUser({ state, query }: Call, user: User) {
  if (query.get('profile') !== 'all') throw refuseField('profile', 'This field is required.')
  const trackers = state.trackers.filter(({ ownerId }) => ownerId === user.id).map(({ id }) => id)
  state.users = state.users.filter((one) => one !== user)
  state.trackers = state.trackers.filter(({ ownerId }) => ownerId !== user.id)
  state.links = state.links.filter(({ trackerId }) => !trackers.includes(trackerId))
  for (const [token, id] of state.sessions) if (id === user.id) state.sessions.delete(token)
  return { status: 204 }
}

function createPaymentSession({ state, body, habits }: Call, user: User) {
  const plan = findValue(body, (value) => findPlan(value, habits))
  if (!plan) throw refuseField('price', 'This field is required.')
  const tracker = findTrackerIn(state, body, habits)
  if (tracker && tracker.ownerId !== user.id) throw new Refusal(404, 'No tracker matches the given query.')
  if (tracker?.isPro) throw new Refusal(403, 'This device belongs to a business account.')
  const id = `cs_test_${createToken()}`
  state.payments.set(id, { id, trackerId: tracker?.id ?? 0, months: plan.months, isPaid: false })
  const session = { public_key: 'pk_test_foreign', id }
  return reply(habits.paymentSession === 'url' ? { ...session, url: `https://checkout.example.org/${id}` } : session)
}

function findValue<Found>(body: unknown, find: (value: unknown) => Found | undefined): Found | undefined {
  if (typeof body !== 'object' || body === null) return find(body)
  for (const value of Object.values(body)) {
    const found = findValue(value, find)
    if (found) return found
  }
  return undefined
}

const readReturnPath = ({ return_path }: Body) => (typeof return_path === 'string' ? return_path : '/')

/** Applies the card provider's report: the subscription runs once its session is paid. */
function takePayment({ state, body, now }: Call) {
  const payment = findValue(body, (value) => state.payments.get(String(value)))
  if (!payment || payment.isPaid) throw new Refusal(404, '')
  payment.isPaid = true
  const tracker = state.trackers.find(({ id }) => id === payment.trackerId)
  if (tracker) {
    const end = new Date(Math.max(now.getTime(), tracker.subEnd?.getTime() ?? 0))
    end.setUTCMonth(end.getUTCMonth() + payment.months)
    Object.assign(tracker, { subState: 'active', subEnd: end })
  }
  return reply({ received: true })
}

const prices = ({ habits }: Call) => reply(presentPrices(habits))

/** Routes of a signed-in user; `user` is set because the access requires it. */
const own = (method: string, path: string, answer: (call: Call, user: User) => ReturnType<Route['answer']>): Route => ({
  method,
  path,
  access: 'session',
  answer: (call) => answer(call, call.user!),
})

export const USER_ROUTES: Route[] = [
  { method: 'POST', path: '/api/v1/auth/web_get_token/', access: 'open', answer: signIn },
  { method: 'POST', path: '/users/register', access: 'open', answer: register },
  { method: 'POST', path: '/webhooks/card-provider/', access: 'open', answer: takePayment },
  { method: 'GET', path: '/users/tracker_prices', access: 'open', answer: prices },
  { method: 'GET', path: '/users/tracker_prices/', access: 'open', answer: prices },
  own('GET', '/api-auth/session/login/', (_, { username }) => reply({ username })),
  own('GET', '/options/', (_, user) => reply({ email_confirmed: user.emailConfirmed, role: user.role })),
  own('POST', '/users/portal/', ({ body }) =>
    reply({ url: `https://billing.example.org/session?return=${encodeURIComponent(readReturnPath(body))}` }),
  ),
  own('POST', '/users/payment_session/', createPaymentSession),
  own('GET', '/users/settings/', ({ habits }, user) => reply(presentSettings(user, habits))),
  own('PATCH', '/users/settings/', changeSettings),
  own('GET', '/users/me/', (_, user) => reply(presentUser(user))),
  own('PATCH', '/users/me/', ({ state }, user) => {
    state.mails.push(user.email)
    return reply(presentUser(user))
  }),
  own('DELETE', '/users/me/', removeUser),
]
