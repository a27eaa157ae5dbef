import http from 'node:http'

export type Call = { url: string; method?: string; headers?: Record<string, string>; body?: (n: number) => string }

/** Sends `amount` requests over `connections` keep-alive connections and returns requests per second. Throws on an unexpected status. */
export async function load(call: Call, { amount, connections, status }: { amount: number; connections: number; status: number }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  let sent = 0
  const worker = async () => {
    while (sent < amount) await one(call, agent, sent++, status)
  }
  await one(call, agent, sent++, status)
  const begin = process.hrtime.bigint()
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9
  agent.destroy()
  return (amount - 1) / seconds
}

function one(call: Call, agent: http.Agent, n: number, status: number) {
  const body = call.body?.(n)
  const headers = {
    ...call.headers,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }
  return new Promise<void>((resolve, reject) => {
    const request = http.request(call.url, { method: call.method ?? 'GET', headers, agent }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === status ? resolve() : reject(new Error(`${call.url} answered ${answer.statusCode}, not ${status}`)),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}
