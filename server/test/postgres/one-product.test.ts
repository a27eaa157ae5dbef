import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { startCluster } from './cluster.ts'

const MESSAGES = 40
const json = { 'content-type': 'application/json' }

/** Reads a stream until that many events of a type have arrived; returns their subjects. */
async function readEvents(body: ReadableStream<Uint8Array>, type: string, count: number) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].filter(([, name]) => name === type)
    if (events.length >= count) return events.map(([, , data]) => JSON.parse(data!))
  }
  throw new Error(`The stream ended: ${text}`)
}

test('two server processes on one database act as one: positions sent to one arrive in a stream of the other, in order and once', async () => {
  await using cluster = await startCluster({ isRecorded: false })
  const [first, second] = cluster.urls()
  const credentials = JSON.stringify({ username: 'alice@example.com', password: DEMO_PASSWORD })
  const signedIn = await fetch(`${first}/api/v1/auth/web_get_token/`, { method: 'POST', headers: json, body: credentials })
  expect(signedIn.status).toBe(200)
  const { token } = (await signedIn.json()) as { token: string }
  const authorization = { authorization: `Bearer ${token}` }

  const aborter = new AbortController()
  const stream = await fetch(`${first}/devices/live/`, { headers: authorization, signal: aborter.signal })
  expect(stream.status).toBe(200)
  const events = readEvents(stream.body!, 'position', MESSAGES)

  const now = Math.floor(Date.now() / 1000)
  const times = Array.from({ length: MESSAGES }, (_, index) => new Date((now - MESSAGES + index) * 1000).toISOString())
  for (const [index, datetime] of times.entries()) {
    const position = { lat: -34.9 + index / 1e4, lng: -56.16, precision: 8, datetime }
    const body = JSON.stringify({ identifier: '1000000001', positions: [position] })
    const sent = await fetch(`${second}/devices/ingest/`, { method: 'POST', headers: { ...json, 'x-device-key': DEVICE_KEY }, body })
    expect(sent.status).toBe(201)
  }
  const seen = (await events).map(({ tracker_status }) => tracker_status.last_position.datetime)
  aborter.abort()
  expect(seen.map((each: string) => new Date(each).getTime())).toEqual(times.map((each) => new Date(each).getTime()))

  const devices = await fetch(`${second}/devices/?type=tracker`, { headers: authorization })
  expect(devices.status).toBe(200)
  expect((await fetch(`${second}/api/v1/auth/web_get_token/`, { method: 'DELETE', headers: authorization })).status).toBeLessThan(300)
  expect((await fetch(`${first}/devices/?type=tracker`, { headers: authorization })).status).toBe(401)
})
