import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { compare, printResult, type Result, runLoad } from './compare.ts'

type Seen = { method: string; url: string; body: string; headers: http.IncomingHttpHeaders }
const open: http.Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function serve(status = 200) {
  const seen: Seen[] = []
  const sockets = new Set<unknown>()
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += part))
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', body, headers: request.headers })
      response.writeHead(status).end(status === 304 ? undefined : 'ok')
    })
  })
  server.on('connection', (socket) => sockets.add(socket))
  open.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`, seen, sockets }
}

describe('load generator', () => {
  test('the load generator sends exactly `amount` requests over at most `connections` connections and returns a rate', async () => {
    const { url, seen, sockets } = await serve()
    const rate = await runLoad({ url }, { amount: 40, connections: 4, status: 200 })
    expect(seen).toHaveLength(40)
    expect(sockets.size).toBeLessThanOrEqual(4)
    expect(rate).toBeGreaterThan(0)
    expect(Number.isFinite(rate)).toBe(true)
  })

  test('every request of the load generator carries the method, the headers and its own body', async () => {
    const { url, seen } = await serve(201)
    const body = (n: number) => JSON.stringify({ n, text: 'é' })
    await runLoad({ url, method: 'POST', headers: { 'x-device-key': 'k' }, body }, { amount: 5, connections: 2, status: 201 })
    expect(seen.map((sendRequest) => JSON.parse(sendRequest.body).n).sort()).toEqual([0, 1, 2, 3, 4])
    expect(seen[0]).toMatchObject({ method: 'POST', headers: { 'x-device-key': 'k', 'content-type': 'application/json' } })
  })

  test('an unexpected status aborts the load and names the URL, because a fast error is not throughput', async () => {
    const { url } = await serve(401)
    await expect(runLoad({ url }, { amount: 10, connections: 2, status: 200 })).rejects.toThrow(`${url} responded with 401, not 200`)
  })

  test('the load is aborted when no server listens', async () => {
    const { url } = await serve()
    for (const server of open.splice(0)) await new Promise((closed) => server.close(closed))
    await expect(runLoad({ url }, { amount: 10, connections: 2, status: 200 })).rejects.toThrow(/ECONNREFUSED/)
  })
})

describe('comparison with the floor', () => {
  test('both servers are measured with the same number of requests, and the result names the response size', async () => {
    const [ours, floor] = [await serve(304), await serve()]
    const row = { name: 'list', ours: { url: ours.url }, floor: { url: floor.url, bytes: 123 }, status: 304, amount: 6, goal: 0.5 }
    const result = await compare(row)
    expect(result).toMatchObject({ name: 'list, 123 B', goal: 0.5 })
    expect(result.ratio).toBeGreaterThan(0)
    expect(result.ours).toMatch(/^\d+\/s$/)
    expect(ours.seen.length).toBe(floor.seen.length)
    expect(ours.seen.length % 6).toBe(0)
  })

  test('the floor receives the same request as the portal', async () => {
    const [ours, floor] = [await serve(), await serve()]
    const call = { url: ours.url, headers: { authorization: 'Bearer x' } }
    await compare({ name: 'list', ours: call, floor: { url: floor.url, bytes: 1 }, status: 200, amount: 2, goal: 1 })
    expect(floor.seen.every(({ headers }) => headers.authorization === 'Bearer x')).toBe(true)
  })
})

describe('benchmark report', () => {
  const printedLine = (result: Partial<Result>) => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    printResult({ name: 'list', ours: '50/s', floor: '100/s', ratio: 0.5, goal: 0.5, ...result })
    const line = log.mock.calls[0]?.[0]
    log.mockRestore()
    return String(line)
  }

  test('a ratio below its goal is marked in the report', () => {
    const verdicts = [0.5, 0.51, 0.4999, 0].map((ratio) => printedLine({ ratio, goal: 0.5 }).split(/\s{3}/).at(-1))
    expect(verdicts).toEqual(['ok', 'ok', 'BELOW ITS GOAL', 'BELOW ITS GOAL'])
  })

  test('a report line shows name, rate, floor, ratio and goal', () => {
    expect(printedLine({ ratio: 0.512 })).toMatch(/^list +50\/s +floor +100\/s +ratio 0\.51 +goal 0\.5 +ok$/)
  })
})
