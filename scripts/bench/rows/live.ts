import { once } from 'node:events'
import net from 'node:net'
import type { Lab } from '#scripts/bench/lab.ts'
import { readCpuMs } from '#scripts/bench/machine.ts'
import { alternate, FAST_END, quantile } from '#scripts/bench/measure.ts'
import { atLeast, compareFigures, type Row } from '#scripts/bench/row.ts'
import type { Publish } from '#scripts/bench/servers/sockets.ts'

/** An event as long as that of a position; it ends with its only brace, by which clients count events. */
const DATA = `{"device":1,"tracker_status":${JSON.stringify('a status of a tracker with its position '.repeat(12))}}`
const LAST_BYTE = '}'.charCodeAt(0)
/** Deliveries per round: events times streams. */
const DELIVERIES = 40_000
const ROUNDS = 6

type Streams = { pid: number; send: (message: Publish) => void; close(): void; receive(events: number): Promise<void> }

/** Opens streams and waits until each has received its greeting. */
async function openStreams(url: string, count: number, headers = ''): Promise<Omit<Streams, 'pid' | 'send'>> {
  const { hostname, port, pathname } = new URL(url)
  let received = 0
  let wanted = Number.POSITIVE_INFINITY
  let done = () => {}
  const open = async () => {
    const socket = net.connect({ host: hostname, port: Number(port) })
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n${headers}\r\n`)
    const [greeting] = (await once(socket, 'data')) as [Buffer]
    const line = greeting.toString().split('\r\n')[0]!
    if (/^HTTP.* [345]\d\d/.test(line)) throw new Error(`${url} responded with ${line}`)
    socket.on('data', (chunk) => {
      for (let at = chunk.indexOf(LAST_BYTE); at !== -1; at = chunk.indexOf(LAST_BYTE, at + 1)) received++
      if (received >= wanted) done()
    })
    return socket
  }
  const sockets = await Promise.all(Array.from({ length: count }, open))
  return {
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
    receive(events) {
      received = 0
      wanted = events * count
      return new Promise((resolve) => (done = resolve))
    },
  }
}

async function openOurs(lab: Lab, count: number): Promise<Streams> {
  const { address, send } = await lab.start<{ url: string; pid: number; token: string }>('portal')
  const streams = await openStreams(`${address.url}/devices/live/`, count, `authorization: Bearer ${address.token}\r\n`)
  return { ...streams, send, pid: address.pid }
}

async function openFloor(lab: Lab, count: number): Promise<Streams> {
  const { address, send, process } = await lab.start<string>('sockets')
  return { ...(await openStreams(address, count)), send, pid: process.pid! }
}

async function measureDeliveries({ pid, send, receive }: Streams, events: number, streams: number, together: number) {
  const before = readCpuMs(pid)
  const received = receive(events)
  send({ events, together, data: DATA })
  await received
  return (events * streams * 1000) / (readCpuMs(pid) - before)
}

const deliver = (streams: number, together: number, goal: number): Row => ({
  id: `L1/${streams}-${together}`,
  name: `live events to ${streams} streams of an account, ${together === 1 ? 'one' : together} a turn`,
  floor: 'one socket.write for each event and stream',
  goal: atLeast(goal),
  async measure(lab) {
    const events = Math.max(20, DELIVERIES / streams)
    const [ours, floor] = [await openOurs(lab, streams), await openFloor(lab, streams)]
    const [oursRates, floorRates] = await alternate(ROUNDS, [
      () => measureDeliveries(ours, events, streams, together),
      () => measureDeliveries(floor, events, streams, 1),
    ])
    ours.close()
    floor.close()
    const of = (rates: number[]) => quantile(rates, FAST_END)
    return compareFigures(of(oursRates!), of(floorRates!), '/s')
  },
})

export const live: Row[] = [deliver(100, 1, 0.25), deliver(1000, 10, 2)]
