import net from 'node:net'
import { readCpuMs } from './machine.ts'

/** One kind of request. `body` gets the number of the request. */
export type Call = {
  url: string
  /** Process of the server. */
  pid: number
  method?: string
  headers?: Record<string, string>
  body?: (n: number) => string
  /** Default 200. An error is sent fast, so any other status ends the measurement. */
  status?: number
}

/** Keep-alive connections to one server, for many short rounds. */
export type Load = {
  /** Responses within about `ms`, and the CPU time that the server took for them. */
  run(ms: number): Promise<{ requests: number; ms: number; cpuMs: number }>
  /** Sends requests one after the other over the first connection; milliseconds of each. */
  times(requests: number): Promise<number[]>
  close(): void
}

/**
 * A load generator on bare sockets: `http.request` costs more than the servers it would measure. Reads responses with a content length, chunked
 * ones and those without a body; each connection has one request under way.
 */
export async function openLoad(call: Call, connections: number): Promise<Load> {
  const target = new URL(call.url)
  const nextRequest = createRequests(call, target)
  const sockets = await Promise.all(Array.from({ length: connections }, () => connect(target)))
  const lines = sockets.map((socket) => openLine(socket, call))
  return {
    async run(ms) {
      let requests = 0
      const cpuBefore = readCpuMs(call.pid)
      const begin = performance.now()
      const work = async (exchange: Exchange) => {
        while (performance.now() - begin < ms) {
          await exchange(nextRequest())
          requests++
        }
      }
      await Promise.all(lines.map(work))
      return { requests, ms: performance.now() - begin, cpuMs: readCpuMs(call.pid) - cpuBefore }
    },
    async times(requests) {
      const times: number[] = []
      for (let n = 0; n < requests; n++) {
        const begin = performance.now()
        await lines[0]!(nextRequest())
        times.push(performance.now() - begin)
      }
      return times
    },
    close: () => sockets.forEach((socket) => void socket.destroy()),
  }
}

function connect({ hostname, port }: URL) {
  return new Promise<net.Socket>((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

function createRequests({ method = 'GET', headers = {}, body }: Call, { host, pathname, search }: URL) {
  const all = { host, ...headers, ...(body && { 'content-type': 'application/json' }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}`
  const bare = Buffer.from(`${head}\r\n`)
  let n = 0
  return () => {
    if (!body) return bare
    const text = body(n++)
    return Buffer.from(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
}

type Exchange = (request: Buffer) => Promise<void>

/** Sends a request and resolves once its response has been read to the end. */
function openLine(socket: net.Socket, { url, status = 200 }: Call): Exchange {
  let done: () => void = () => {}
  let fail: (error: Error) => void = () => {}
  let reading = readResponse()
  socket.on('data', (chunk: Buffer) => {
    try {
      const found = reading(chunk)
      if (found === null) return
      reading = readResponse()
      if (found !== status) throw new Error(`${url} responded with ${found}, not ${status}`)
      done()
    } catch (error) {
      fail(error as Error)
    }
  })
  socket.on('error', (error) => fail(error))
  socket.on('close', () => fail(new Error(`${url} closed the connection`)))
  return (request) =>
    new Promise((resolve, reject) => {
      done = resolve
      fail = reject
      socket.write(request)
    })
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Returns a function that takes the parts of one response; it returns the status with the last part, null before that. */
function readResponse() {
  let head: Buffer | null = null
  let status = 0
  let missing: number | 'chunked' = 0
  let tail: Buffer = Buffer.alloc(0)
  return (part: Buffer): number | null => {
    let body = part
    if (status === 0) {
      head = head ? Buffer.concat([head, part]) : part
      const end = head.indexOf(HEAD_END)
      if (end === -1) return null
      const text = head.toString('latin1', 0, end)
      status = Number(text.slice(9, 12))
      body = head.subarray(end + HEAD_END.length)
      missing = bodyLength(text, status)
    }
    if (missing !== 'chunked') {
      missing -= body.length
      return missing === 0 ? status : null
    }
    tail = Buffer.concat([tail, body.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length)
    return tail.equals(LAST_CHUNK) ? status : null
  }
}

function bodyLength(head: string, status: number): number | 'chunked' {
  if (status === 204 || status === 304) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  return length === undefined ? 'chunked' : Number(length)
}
