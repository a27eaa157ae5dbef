import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BACKENDS, type BackendName, type Habits } from '#e2e/foreign-backend/habits.ts'
import { type ForeignBackend, startForeignBackend } from '#e2e/foreign-backend/server.ts'
import { addLink, PASSWORD } from '#e2e/foreign-backend/state.ts'
import type { Io, Visit, VisitPlan } from '#scripts/contracts/client/io.ts'
import { checkBackend, createTempFolder, formatFindings } from './test-io.ts'

const NAMES = Object.keys(BACKENDS) as BackendName[]
const ADA = ['--email', 'ada@example.org', '--password', PASSWORD]
/** Backends send the time of this machine. */
const NOW = { now: () => new Date() }

type Trial = {
  habits?: Partial<Habits>
  flags?: string[]
  isWritten?: boolean
  prepare?(backend: ForeignBackend, file: string): void
  io?: Partial<Io>
}

/** Checks a backend, and that the check changed nothing of its state except the sessions. */
async function checkForeign(name: BackendName, { habits = {}, flags = [], isWritten = true, prepare, io }: Trial = {}) {
  await using backend = await startForeignBackend(name, { habits })
  using files = createTempFolder()
  const file = files.at('config.json')
  prepare?.(backend, file)
  const readState = () => structuredClone({ ...backend.state, sessions: null, failures: null })
  const before = readState()
  const written = isWritten ? ['--write-config', file] : []
  const { code, report } = await checkBackend(['--base', backend.baseUrl, ...ADA, ...written, ...flags], { ...NOW, ...io })
  expect(readState()).toEqual(before)
  const config = isWritten ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const abilities = report.abilities.map(({ name: ability, state, reason }) => `${ability}: ${state}, ${reason}`)
  return { code, report, abilities, failures: formatFindings(report).filter((line) => line.startsWith('fail')), config, backend }
}

test.each(NAMES)('a backend with only the documented calls is clean, and its features are written by their names: %s', async (name) => {
  const { code, failures, config, backend } = await checkForeign(name)
  expect({ code, failures }).toEqual({ code: 0, failures: [] })
  expect(config).toEqual({
    apiBaseUrl: backend.baseUrl.replace(/\/$/, ''),
    features: ['conflicts', 'links', 'me', 'sct2', 'settings', 'subscriptions', 'theft'],
    auth: { scheme: backend.habits.scheme },
  })
})

test('the verdict says what a user can do in the portal, and why not more', async () => {
  const { abilities } = await checkForeign('drf')
  expect(abilities).toEqual([
    'see: yes, 16 trackers, 12 with a position',
    'follow: with loss, the list is asked for every 30 seconds; the last position only, no history',
    expect.stringMatching(/^buy: yes, \d plans; the payment was not tried$/),
    'share: yes, what a visitor sees was not tested, because no tracker has a link',
    'link: yes, GET /devices/:deviceid/activate_subscription/ is there, and was not tried',
    'report: with loss, the form of the police; the portal keeps no reports',
    'erase: yes, DELETE /users/me/ is there, and was not tried',
  ])
})

const addLinks = ({ state }: ForeignBackend) => {
  for (const { id, ownerId } of state.trackers) if (ownerId === 1) addLink(state, id)
}

test('a link that visitors cannot open counts as a loss', async () => {
  const shares = async (name: BackendName) =>
    (await checkForeign(name, { prepare: addLinks })).abilities.filter((one) => one.startsWith('share'))
  expect([await shares('drf'), await shares('envelope')]).toEqual([
    ['share: yes, a visitor can open a link'],
    ['share: with loss, a link can be made, but a visitor cannot open it: 403 GET /devices/ with its token'],
  ])
})

test('the first lines of the table and of the page say what a user can do', async () => {
  await using backend = await startForeignBackend('drf')
  using files = createTempFolder()
  const [table, page] = [files.at('report.txt'), files.at('report.html')]
  await checkBackend(['--base', backend.baseUrl, ...ADA, '--format', `table=${table}`, '--format', `html=${page}`], NOW)
  const lines = readFileSync(table, 'utf8').split('\n')
  expect(lines.slice(1, 4)).toEqual(['', 'a person can', '  see         yes         16 trackers, 12 with a position'])
  const html = readFileSync(page, 'utf8')
  expect(html.slice(html.indexOf('<h1>'), html.indexOf('<strong'))).toMatch(
    /What a person can do.*<td>follow<\/td><td class="tolerated">with loss/s,
  )
})

test("a position under a backend's own name is found and written to the configuration", async () => {
  const habits = { names: { last_position: 'whereabouts' } }
  expect(await checkForeign('drf', { habits })).toMatchObject({
    code: 0,
    config: { names: { 'tracker_status.last_position': 'whereabouts' } },
    abilities: expect.arrayContaining(['see: yes, 16 trackers, 12 with a position']),
  })
  const { code, failures } = await checkForeign('geojson', { habits, isWritten: false })
  expect({ code, failures }).toEqual({
    code: 1,
    failures: [
      expect.stringMatching(/last_position found in no tracker; `whereabouts` of the tracker stands for it: --write-config writes/),
    ],
  })
})

test('a position under an unknown name fails the check, which suggests a likely field', async () => {
  const { code, failures, abilities, config } = await checkForeign('drf', { habits: { names: { last_position: 'ort' } } })
  expect([code, config.names, abilities[0], abilities[1]]).toEqual([
    1,
    undefined,
    'see: no, the position of no tracker is found',
    'follow: no, the position of no tracker is found',
  ])
  expect(failures).toEqual([
    'fail reads devices.list: *.tracker_status.last_position found in no tracker; perhaps `ort` of the tracker: "names": {"tracker_status.last_position":"ort"} in /config.json',
  ])
})

test('fields in an object unknown to the portal are found by their names', async () => {
  const { code, config, abilities } = await checkForeign('drf', { habits: { place: 'attributes' } })
  expect([code, abilities[0]]).toEqual([0, 'see: yes, 16 trackers, 12 with a position'])
  expect(config.names).toMatchObject({
    name: 'attributes.name',
    'tracker_status.battery': 'attributes.battery',
    serial: 'attributes.serial_number',
  })
})

test('names already in the configuration are used and kept', async () => {
  const names = { 'tracker_status.last_position': 'ort' }
  const prepare = (_: ForeignBackend, file: string) => writeFileSync(file, JSON.stringify({ names, features: ['push', 'alerts'] }))
  const { code, config } = await checkForeign('drf', { habits: { names: { last_position: 'ort' } }, prepare })
  expect([code, config.names]).toEqual([0, names])
  expect(config.features).toEqual(['conflicts', 'links', 'me', 'push', 'sct2', 'settings', 'subscriptions', 'theft'])
})

test('a backend of which the portal reads no field fails for each field that a screen depends on', async () => {
  const fields = ['id', 'name', 'last_position', 'sub_state', 'battery', 'serial_number', 'last_address', 'type', 'tracker_status']
  const { code, failures, abilities } = await checkForeign('geojson', {
    habits: { place: 'tracker', names: Object.fromEntries(fields.map((field, index) => [field, `f${index}`])) },
  })
  expect(code).toBe(1)
  expect(abilities[0]).toMatch(/^see: no, /)
  for (const field of ['id', 'name', 'tracker_status.last_position', 'tracker_status.sub_state'])
    expect(failures).toContainEqual(expect.stringContaining(`devices.list: *.${field} found in no tracker; perhaps`))
})

/** A backend that checks the token before the path, and returns the same 404 for everything. */
const guarded: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  const isOpen = headers.has('authorization') || String(input).includes('web_get_token')
  const response = isOpen ? await fetch(input, init) : Response.json({ detail: 'Sign in.' }, { status: 401 })
  return [404, 405].includes(response.status) ? Response.json({ detail: 'Not found.' }, { status: 404 }) : response
}

test('an untested feature is offered only if the specification has it, and the others are listed', async () => {
  const { config, report } = await checkForeign('drf', { io: { fetch: guarded } })
  expect(config.features).toEqual(['conflicts', 'links', 'me', 'sct2', 'settings', 'subscriptions', 'theft'])
  expect(report.needs).toContainEqual(expect.stringMatching(/^features that could not be tested are left out.*trackers/))
  expect(report.abilities.filter(({ state }) => state === 'not tested').map(({ name }) => name)).toEqual(['link', 'erase'])
})

test('a portal of another origin needs headers that the backend does not expose', async () => {
  const flags = ['--origin', 'https://portal.example']
  const { report } = await checkForeign('drf', { flags })
  expect(report.needs).toContain('the header Access-Control-Expose-Headers: Date, Retry-After in answers to https://portal.example')
  const exposed = await checkForeign('drf', { flags, habits: { exposedHeaders: 'Date, Retry-After' } })
  expect(exposed.report.needs.filter((one) => one.includes('Expose'))).toEqual([])
})

test('the portal is opened with the written configuration as the last test', async () => {
  const plans: VisitPlan[] = []
  const open = (visit: Visit) => ({
    async visitPortal(plan: VisitPlan) {
      plans.push(plan)
      return visit
    },
  })
  const noteOf = ({ report }: Awaited<ReturnType<typeof checkForeign>>) => report.results.find(({ level }) => level === 'portal')
  const opened = await checkForeign('drf', { io: open({ isOpen: true, trackers: 16, onMap: 12 }) })
  expect([opened.code, noteOf(opened)?.note]).toEqual([0, 'opens: 16 trackers, 12 on the map'])
  expect(plans[0]).toMatchObject({ config: opened.config, as: { email: 'ada@example.org', password: PASSWORD } })
  const untried = await checkForeign('drf', { io: open({ isOpen: false, isTried: false, reason: 'there is no built portal' }) })
  expect([untried.code, noteOf(untried)?.note]).toEqual([0, 'not opened: there is no built portal'])
  const broken = await checkForeign('drf', { io: open({ isOpen: false, isTried: true, reason: 'the page says: Oh' }) })
  expect([broken.code, broken.failures]).toEqual([1, ['fail portal portal.open: the portal does not open: the page says: Oh']])
})
