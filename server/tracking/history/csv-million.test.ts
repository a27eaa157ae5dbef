import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const MILLION = 1_000_000
/** One position every 30 seconds up to the seed's time, which covers most of a year. */
const STEP = 30
/** Memory an export may use at any time: some chunks in flight, not the 80 MB file. */
const MOST_MB = 40
const { newTracker } = SEED.devices

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function aliveMb() {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

let portal: Awaited<ReturnType<typeof startPortal>>
let get: (path: string) => Promise<Response>
let from: string

beforeAll(async () => {
  portal = await startPortal()
  const last = portal.clock.now().getTime() / 1000
  from = new Date((last - (MILLION - 1) * STEP) * 1000).toISOString()
  portal.world.db.raw
    .prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?)
       insert into positions (device_id, time, lat, lng, precision, event, battery)
       select ?, ? - (? - 1 - i) * ?, -349000000 - (i * 7919) % 20000, -561900000 + (i * 104729) % 60000, 5 + i % 40, null, 80 from n`,
    )
    .run(MILLION, newTracker, last, MILLION, STEP)
  const address = await portal.app.listen({ host: '127.0.0.1', port: 0 })
  // The client of this test shares the measured memory, so it must not decompress.
  const headers = { authorization: `Bearer ${await portal.token('alice@example.com')}`, 'accept-encoding': 'identity' }
  get = (path) => fetch(`${address}${path}`, { headers })
})
afterAll(() => portal[Symbol.asyncDispose]())

const exported = () => get(`/devices/${newTracker}/tracker_data/export_csv/?not_before=${from}`)

test('an export of a million positions is complete, uses constant memory and does not block other requests', async () => {
  const before = aliveMb()
  const response = await exported()
  let [lines, pieces, highest, answered] = [0, 0, 0, 0]
  let [head, tail] = ['', '']
  for await (const piece of response.body!) {
    const text = Buffer.from(piece).toString('latin1')
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
    if (head.length < 200) head += text
    tail = (tail + text).slice(-120)
    if (pieces++ % 200 > 0) continue
    highest = Math.max(highest, aliveMb())
    if ((await get('/options/')).status === 200) answered++
  }
  expect(lines).toBe(MILLION + 1)
  expect(head.split('\r\n')[1]).toMatch(new RegExp(`^${from.slice(0, 19)}Z,-34.9000000,-56.1900000,5,.+,80$`))
  expect(tail).toMatch(/\r\n2026-03-02T09:00:00Z,-34\.9\d{6},-56\.1\d{6},44,.+,,80\r\n$/)
  expect(answered).toBeGreaterThan(5)
  expect(highest - before).toBeLessThan(MOST_MB)
})

test('an export waits for a slow reader instead of buffering', async () => {
  const before = aliveMb()
  const response = await exported()
  await setTimeout(500)
  expect(aliveMb() - before).toBeLessThan(MOST_MB)
  await response.body?.cancel()
})

test('the last history page of a million positions is served without reading all', async () => {
  const response = await get(`/devices/${newTracker}/tracker_data/?not_before=${from}&page=2000`)
  expect(await response.json()).toMatchObject({ count: MILLION, next: null, results: { length: 500 } })
})
