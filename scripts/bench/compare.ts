import http from 'node:http'

export type Call = { url: string; method?: string; headers?: Record<string, string>; body?: (n: number) => string }

/** Sends `amount` requests over `connections` keep-alive connections and returns requests per second. Throws on an unexpected status. */
export async function runLoad(call: Call, { amount, connections, status }: { amount: number; connections: number; status: number }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  let sent = 0
  const worker = async () => {
    while (sent < amount) await sendRequest(call, agent, sent++, status)
  }
  await sendRequest(call, agent, sent++, status)
  const begin = process.hrtime.bigint()
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9
  agent.destroy()
  return (amount - 1) / seconds
}

function sendRequest(call: Call, agent: http.Agent, n: number, status: number) {
  const body = call.body?.(n)
  const headers = {
    ...call.headers,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }
  return new Promise<void>((resolve, reject) => {
    const request = http.request(call.url, { method: call.method ?? 'GET', headers, agent }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === status ? resolve() : reject(new Error(`${call.url} responded with ${response.statusCode}, not ${status}`)),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

export type Row = { name: string; ours: Call; floor: { url: string; bytes: number }; status: number; amount: number; goal: number }
export type Result = { name: string; ours: string; floor: string; ratio: number; goal: number }

const ROUNDS = 8
const CONNECTIONS = 16

/** Alternates the rounds so that both servers meet the same load on the machine, and keeps the best round of each. */
export async function compare({ name, ours, floor, status, amount, goal }: Row): Promise<Result> {
  let [best, bestFloor] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    bestFloor = Math.max(bestFloor, await runLoad({ ...ours, url: floor.url }, { amount, connections: CONNECTIONS, status: 200 }))
    best = Math.max(best, await runLoad(ours, { amount, connections: CONNECTIONS, status }))
  }
  return {
    name: `${name}, ${floor.bytes} B`,
    ours: `${best.toFixed(0)}/s`,
    floor: `${bestFloor.toFixed(0)}/s`,
    ratio: best / bestFloor,
    goal,
  }
}

export function printResult({ name, ours, floor, ratio, goal }: Result) {
  const verdict = ratio >= goal ? 'ok' : 'BELOW ITS GOAL'
  console.log(
    `${name.padEnd(48)} ${ours.padStart(10)}   floor ${floor.padStart(10)}   ratio ${ratio.toFixed(2)}   goal ${goal}   ${verdict}`,
  )
}
