import { beforeEach, expect, test } from 'vitest'
import type { PushPayload } from '#contracts/accounts/push.ts'
import { cookies, opened, type Page, pages, server, shown, startWorker, stores } from './test-worker.ts'

const PAYLOAD: PushPayload = {
  title: 'Rex left Home',
  body: 'Calle 1',
  url: '/trackers/7',
  alert: {
    device: 7,
    kind: 'place_leave',
    language: 'fr',
    buttons: [
      { action: 'show', title: 'Afficher', url: '/trackers/7' },
      { action: 'boost', title: 'Boost', url: '/trackers/7?sheet=boost', done: 'Rex : boost jusqu’à {{time}}' },
      { action: 'snooze', title: 'Sourdine 1 h', url: '/alerts?sheet=mute&tracker=7', done: 'Rex : en sourdine jusqu’à {{time}}' },
    ],
  },
}
const UNTIL = '2026-03-02T17:30:00Z'
const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status })

/** A server whose configuration is `config`; it responds to changes by `answer`. */
function serve(answer: () => Response, config: object = {}) {
  server.mockImplementation(async (url) => (url === '/config.json' ? json(config) : answer()))
  return () => server.mock.calls.filter(([url]) => url !== '/config.json')
}

/** A worker that has shown a notification; `press` clicks one of its buttons, or the notification itself. */
async function startWithPush(payload = PAYLOAD) {
  const { dispatch, self } = startWorker('a')
  const push = (next: PushPayload) => dispatch('push', { data: { json: () => next } })
  await push(payload)
  const press = (action = '', { title, data } = shown.at(-1)!) =>
    dispatch('notificationclick', { action, notification: { title, data, close: () => undefined } })
  return { press, push, self, dispatch }
}

beforeEach(() => {
  stores.clear()
  cookies.clear()
  for (const list of [pages, opened, shown]) list.length = 0
  server.mockReset().mockImplementation(async (url) => new Response(`fresh ${url}`))
})

test('a push is shown as a notification, and a click opens its page in the open portal or in a new window', async () => {
  const { push, dispatch, press } = await startWithPush()
  await dispatch('push', { data: null })
  await push({ title: 'Whereabouts', body: 'A test', url: '/account/preferences' })
  expect(shown).toHaveLength(2)
  expect(shown[1]).toEqual(expect.objectContaining({ body: 'A test', tag: '/account/preferences', data: '/account/preferences' }))
  expect(shown[1]).not.toHaveProperty('actions')
  await press()
  expect(opened).toEqual(['/account/preferences'])
  const navigated: string[] = []
  const page: Page = { focus: async () => page, navigate: async (url) => void navigated.push(url) }
  pages.push(page)
  await press('', shown[0])
  expect([navigated, opened.length]).toEqual([['/trackers/7'], 1])
})

test('a browser that shows two buttons gets those that a click on the notification cannot replace', async () => {
  const { self, push } = await startWithPush()
  self.Notification.maxActions = 3
  await push(PAYLOAD)
  expect(shown.map(({ actions }) => actions?.map(({ action }) => action))).toEqual([
    ['boost', 'snooze'],
    ['show', 'boost', 'snooze'],
  ])
})

test('a notification has the map of its place, which the worker fetches without the session', async () => {
  const list = serve(() => new Response('JPEG'), { apiBaseUrl: 'https://api.test' })
  await startWithPush({ ...PAYLOAD, image: '/users/push/picture.jpg?token=a' })
  const [[url, init]] = list() as [[string, RequestInit]]
  expect([url, init.credentials, shown[0]?.image]).toEqual([
    'https://api.test/users/push/picture.jpg?token=a',
    undefined,
    `data:image/jpeg;base64,${btoa('JPEG')}`,
  ])
})

test('a notification whose map cannot be loaded is shown without it, and a browser without pictures loads none', async () => {
  const list = serve(() => json({}, 404))
  const { self, push } = await startWithPush({ ...PAYLOAD, image: '/users/push/picture.jpg?token=a' })
  expect(shown[0]).toMatchObject({ title: 'Rex left Home' })
  self.Notification.prototype = {}
  await push({ ...PAYLOAD, image: '/users/push/picture.jpg?token=a' })
  expect(shown.map(({ image }) => image)).toEqual([undefined, undefined])
  expect(list()).toHaveLength(1)
})

test('a button that only a newer release knows is not shown', async () => {
  const button = { action: 'ring' as 'show', title: 'Ring', url: '/trackers/7' }
  await startWithPush({ ...PAYLOAD, alert: { ...PAYLOAD.alert!, buttons: [button] } })
  expect(shown[0]).toMatchObject({ title: 'Rex left Home', actions: [] })
})

test('the button Snooze mutes the kind of alert for an hour, with the session of the portal, and says until when', async () => {
  cookies.set('csrftoken', 'abc%3D')
  const list = serve(() => json({ until: UNTIL }, 201))
  await (await startWithPush()).press('snooze')
  const [[path, init]] = list() as [[string, RequestInit]]
  expect([path, init.method, init.credentials]).toEqual(['/alert_silences/', 'POST', 'same-origin'])
  expect(init.headers).toEqual({ 'content-type': 'application/json', 'X-CSRFToken': 'abc=' })
  expect(JSON.parse(String(init.body))).toEqual({ devices: [7], kinds: ['place_leave'], hours: 1 })
  const time = new Intl.DateTimeFormat('fr-CA', { hour: '2-digit', minute: '2-digit' }).format(new Date(UNTIL))
  expect(shown[1]).toMatchObject({ title: `Rex : en sourdine jusqu’à ${time}`, tag: '/trackers/7', data: '/trackers/7' })
  expect(opened).toEqual([])
})

test('the button Boost boosts the tracker for 15 minutes, on the API host of the configuration', async () => {
  cookies.set('XSRF-TOKEN', 'abc')
  const auth = { csrfCookie: 'XSRF-TOKEN', csrfHeader: 'X-XSRF-TOKEN', credentials: 'include' }
  const list = serve(() => json({ active: true, until: UNTIL }, 201), { apiBaseUrl: 'https://api.test/v1/', auth })
  await (await startWithPush()).press('boost')
  const [[url, init]] = list() as [[string, RequestInit]]
  expect([url, init.credentials, init.body]).toEqual([
    'https://api.test/v1/devices/7/realtime_boost/',
    'include',
    '{"duration_minutes":15}',
  ])
  expect(init.headers).toMatchObject({ 'X-XSRF-TOKEN': 'abc' })
  expect(shown[1]?.title).toMatch(/^Rex : boost jusqu’à \d/)
})

test.each([
  ['without a session', () => json({}, 401)],
  ['without the token against forged requests', () => json({}, 403)],
  ['without a connection', () => Promise.reject(new TypeError('Failed to fetch')) as never],
  ['whose response is no JSON', () => new Response('<h1>Welcome</h1>')],
])('a request of a button %s opens the page of the portal that asks', async (_, answer) => {
  serve(answer)
  await (await startWithPush()).press('snooze')
  expect([opened, shown.length]).toEqual([['/alerts?sheet=mute&tracker=7'], 1])
})

test('if the browser does not open the portal, the notification is shown again and leads to the page that asks', async () => {
  serve(() => json({}, 401))
  const { press, self } = await startWithPush()
  self.clients.openWindow = () => Promise.reject(new Error('Not allowed to open a window.'))
  await press('boost')
  expect(shown[1]).toMatchObject({ title: 'Rex left Home', data: '/trackers/7?sheet=boost' })
})

test('a notification that an earlier release has shown still opens its page', async () => {
  const { press } = await startWithPush()
  await press('', { title: 'Rex left Home', data: '/trackers/7' })
  expect(opened).toEqual(['/trackers/7'])
})
