import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { signIn } from '#scripts/bench/built-server.ts'
import { DEVICE_KEY, LINKS } from '#server/mock/seed/records/seed-secrets.ts'

export type Counts = Record<string, number>

const SECONDS = 8
const MEGABYTE = 1024 * 1024
const ATTACKER = { username: 'george@example.com', password: 'Demo-1234' }
/** A tracker of the attacker. */
const TRACKER = 41
/** The id of a tracker, and the links that show it. */
const LINKED = '1000000003'
const LINKS_OF_ONE = [LINKS.fromBeginning, LINKS.permanent, LINKS.lastPoint, LINKS.after2100]
const SLOW_CONNECTIONS = 800
const STREAMS = 2000
const SESSIONS = 20

const makeAddress = () => [10, randomInt(256), randomInt(256), randomInt(1, 255)].join('.')
/** The headers of a caller in a network of its own. */
const fromAnywhere = () => ({ 'x-forwarded-for': makeAddress() })
const asJson = (body: object | string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...fromAnywhere() },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const makeName = () => `x${randomInt(2 ** 47).toString(36)}`

/**
 * Keeps `together` requests in flight; with `rounds` each connection makes that number of requests, otherwise all continue for some
 * seconds.
 */
async function flood(together: number, url: string, make: () => RequestInit, rounds = Number.POSITIVE_INFINITY): Promise<Counts> {
  const counts: Counts = {}
  const end = performance.now() + SECONDS * 1000
  const repeat = async () => {
    for (let round = 0; round < rounds && performance.now() < end; round++) {
      const status = await fetch(url, make()).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 'closed',
      )
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: together }, repeat))
  return counts
}

const signInAttacker = (origin: string) => signIn(origin, ATTACKER, fromAnywhere())

async function uploadAs(
  origin: string,
  path: string,
  body: Buffer,
  { together = 1, rounds = Number.POSITIVE_INFINITY, method = 'POST' } = {},
) {
  const headers = { ...(await signInAttacker(origin)), 'content-type': path.includes('csv') ? 'text/csv' : 'application/octet-stream' }
  return flood(together, origin + path, () => ({ method, headers: { ...headers, ...fromAnywhere() }, body: new Uint8Array(body) }), rounds)
}

async function changeSettings(origin: string, bytes: number) {
  const session = await signInAttacker(origin)
  const body = `{"a":[${'{"b":1},'.repeat(Math.floor((bytes - 10) / 8))}0]}`
  return flood(20, `${origin}/users/settings/`, () => {
    const request = asJson(body)
    return { ...request, method: 'PATCH', headers: { ...request.headers, ...session } }
  })
}

async function openSlowHeaders(origin: string): Promise<Counts> {
  const sockets = Array.from({ length: SLOW_CONNECTIONS }, () => connect({ port: Number(new URL(origin).port), host: '127.0.0.1' }))
  for (const socket of sockets) socket.on('error', () => {}).write('GET /options/ HTTP/1.1\r\nhost: portal\r\n')
  for (let second = 0; second < SECONDS; second++) {
    await setTimeout(1000)
    for (const socket of sockets) if (socket.writable) socket.write(`x-${second}: 1\r\n`)
  }
  const open = sockets.filter((socket) => socket.readyState === 'open').length
  for (const socket of sockets) socket.destroy()
  return { open, closed: SLOW_CONNECTIONS - open }
}

/** A tracker sends ten messages a second, with a new position each second. */
async function sendPositions(origin: string, identifier: string, counts: Counts) {
  for (let nth = 0; nth < SECONDS * 10; nth++) {
    const positions = [{ lat: -34.9, lng: -56.15, precision: 6, datetime: new Date().toISOString() }]
    const request = asJson({ identifier, battery: 80, positions })
    const headers = { ...request.headers, 'x-device-key': DEVICE_KEY }
    const status = await fetch(`${origin}/devices/ingest/`, { ...request, headers }).then(
      (response) => response.status,
      () => 'closed',
    )
    counts[`ingest ${status}`] = (counts[`ingest ${status}`] ?? 0) + 1
    await setTimeout(100)
  }
}

/** Each new position of the tracker makes another picture of each of its links. */
async function drawPreviews(origin: string): Promise<Counts> {
  const counts: Counts = {}
  const drawing = LINKS_OF_ONE.map(async (uuid) => {
    const drawn = await flood(5, `${origin}/pub/trackers/picture.png?token=${uuid}`, () => ({ headers: fromAnywhere() }))
    for (const [status, number] of Object.entries(drawn)) counts[status] = (counts[status] ?? 0) + number
  })
  await Promise.all([...drawing, sendPositions(origin, LINKED, counts)])
  return counts
}

async function watchStreams(origin: string): Promise<Counts> {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => signInAttacker(origin)))
  const counts: Counts = {}
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  const watch = async (nth: number) => {
    const headers = { ...sessions[nth % SESSIONS], ...fromAnywhere() }
    const response = await fetch(`${origin}/devices/live/`, { headers, signal: end.signal })
    counts[response.status] = (counts[response.status] ?? 0) + 1
    for await (const _ of response.body!) if (end.signal.aborted) return
  }
  const watching = Array.from({ length: STREAMS }, (_, nth) => watch(nth).catch(() => {}))
  await sendPositions(origin, '1000000007', counts)
  end.abort()
  await Promise.all(watching)
  return counts
}

/** A picture of 49 megapixels that does not compress well. */
function makePicture() {
  const side = 7000
  const noise = Buffer.alloc(side * side * 3)
  for (let nth = 0; nth < noise.length; nth++) noise[nth] = (nth * 7919 + (nth >> 5) * 31 + (nth >> 11)) & 63
  return sharp(noise, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer()
}

const sendPictures = async (origin: string) =>
  uploadAs(origin, `/devices/${TRACKER}/photo/`, await makePicture(), { together: 40, rounds: 1, method: 'PUT' })

const listPositions = (bytes: number) => {
  const lines = ['time,lat,lon,altitude']
  for (let size = 0, nth = 0; size < bytes; nth++) {
    lines.push(`${new Date(Date.UTC(2020, 0, 1) + nth * 10_000).toISOString()},1.0000001,2.0000001,12.5`)
    size += lines.at(-1)!.length + 1
  }
  return Buffer.from(lines.join('\n'))
}

const listAttributes = (bytes: number) => {
  const parts: string[] = []
  for (let size = 0, nth = 0; size < bytes; nth++) size += parts.push(` a${nth.toString(36).padStart(6, '0')}=""`) && 11
  return Buffer.from(`<gpx${parts.join('')}></gpx>`)
}

/** Runs an attack for some seconds. Resolves to the number of requests by status. */
export const ATTACKS: Readonly<Record<string, (origin: string) => Promise<Counts>>> = {
  'nothing at all': async () => {
    await setTimeout(SECONDS * 1000)
    return {}
  },
  '30 wrong logins at once': (origin) =>
    flood(30, `${origin}/api/v1/auth/web_get_token/`, () => asJson({ username: `${makeName()}@example.com`, password: 'Wrong-1234' })),
  '20 registrations at once': (origin) =>
    flood(20, `${origin}/users/register`, () =>
      asJson({ email: `${makeName()}@example.com`, password: makeName() + makeName(), first_name: 'A', last_name: 'B' }),
    ),
  '20 requests of a new password at once': (origin) =>
    flood(20, `${origin}/users/password_reset/`, () => asJson({ email: `${makeName()}@example.com` })),
  '20 bodies of JSON of 64 kB at once': (origin) => changeSettings(origin, 64_000),
  '20 bodies of JSON of 250 kB at once': (origin) => changeSettings(origin, 250_000),
  '40 requests with headers of 15 kB at once': (origin) =>
    flood(40, `${origin}/options/`, () => ({ headers: { ...fromAnywhere(), 'x-long': 'x'.repeat(15_000) } })),
  '20 files of places of 1 MB at once': (origin) =>
    uploadAs(origin, '/tracker_places/import_csv/', Buffer.from(`name,address\n${'"a,b\n'.repeat(190_000)}`), { together: 20 }),
  '2 files of positions of 36 MB at once': (origin) =>
    uploadAs(origin, `/devices/${TRACKER}/imports/`, listPositions(36 * MEGABYTE), { together: 2, rounds: 1 }),
  'a GPX of 63 MB of attributes': (origin) =>
    uploadAs(origin, `/devices/${TRACKER}/imports/`, listAttributes(63 * MEGABYTE), { rounds: 1 }),
  '800 connections with slow headers': openSlowHeaders,
  '2,000 live streams, 10 messages a second': watchStreams,
  '40 theft forms at once': async (origin) => {
    const session = await signInAttacker(origin)
    return flood(40, `${origin}/devices/${TRACKER}/theft_form/`, () => ({ headers: { ...session, ...fromAnywhere() } }))
  },
  '40 pictures of 49 megapixels at once': sendPictures,
  'theft forms of another owner beside 40 pictures': sendPictures,
  '20 pictures of previews at once, each new': drawPreviews,
  '20 previews of public links at once': (origin) =>
    flood(20, `${origin}/pub/trackers?token=${LINKS.permanent}`, () => ({ headers: fromAnywhere() })),
}

type Conditions = { program?: 'main.js' | 'mock.js'; path?: string; before?: string }

/** The program, the normal caller's request, and a request sent once before it, where they differ from the other attacks. */
export const CONDITIONS: Readonly<Record<string, Conditions>> = {
  'theft forms of another owner beside 40 pictures': { path: '/devices/1/theft_form/' },
  // Only the mock server renders the maps of link pictures itself, from shapes that it reads for its first tile.
  '20 pictures of previews at once, each new': { program: 'mock.js', before: '/mock/tiles/15/11273/19776.svg?theme=light' },
}
