import { once } from 'node:events'
import { api } from '#contracts/index.ts'
import type { Lab } from '#scripts/bench/lab.ts'
import { type Call, openLoad } from '#scripts/bench/load.ts'
import { alternate, compareRates, halve, quantile } from '#scripts/bench/measure.ts'
import { atLeast, atMost, compareFigures, type MeasuredRow, type Row } from '#scripts/bench/row.ts'
import { MONTH_DAYS, MONTH_DEVICE, period } from '#scripts/bench/servers/bench-data.ts'
import type { IdiomaticAddress } from '#scripts/bench/servers/idiomatic.ts'

const HAS_TRACK = 'track' in api.positions
const NO_TRACK = 'the server has no compact call for a whole period'

async function historyRequest(lab: Lab, call: 'track/' | 'export_csv/' | ''): Promise<Call> {
  const { url, pid, token } = await lab.portal()
  const path = `/devices/${MONTH_DEVICE}/tracker_data/${call}?${period(MONTH_DAYS)}`
  return { pid, url: `${url}${path}`, headers: { authorization: `Bearer ${token}` } }
}

async function smallRequest(lab: Lab): Promise<Call> {
  const { url, pid, token } = await lab.portal()
  return { pid, url: `${url}/devices/${MONTH_DEVICE}/tracker_status/`, headers: { authorization: `Bearer ${token}` } }
}

const READERS = 2
const ROUNDS = 5
const REQUESTS = 60

async function withReaders<T>(lab: Lab, call: Call, work: () => Promise<T>) {
  const reader = await lab.start<string>('reader')
  const reading = once(reader.process, 'message')
  reader.send({ call, readers: READERS })
  await reading
  const result = await work()
  const stopped = once(reader.process, 'message')
  reader.send('stop')
  await stopped
  return result
}

const beside = (id: string, name: string, call: 'track/' | 'export_csv/' | ''): MeasuredRow => ({
  id: `D5/${id}`,
  name: `small request beside two who read a month as ${name}, median`,
  floor: 'the same request alone',
  goal: atMost(15),
  async measure(lab) {
    const load = await openLoad(await smallRequest(lab), 1)
    const month = await historyRequest(lab, call)
    const median = async () => quantile(await load.times(REQUESTS), 0.5)
    const [besideTimes, aloneTimes] = await alternate(ROUNDS, [() => withReaders(lab, month, median), median])
    load.close()
    const of = (times: number[]) => quantile(times, 0.5)
    return compareFigures(of(besideTimes!), of(aloneTimes!), 'ms', halve(aloneTimes!, of))
  },
})

const months: MeasuredRow = {
  id: 'D2',
  name: 'a month of 50,000 positions in one compact answer',
  floor: 'drizzle query builder and zod provider, JSON',
  goal: atLeast(100),
  async measure(lab) {
    const { address } = await lab.start<IdiomaticAddress>('idiomatic')
    return compareRates({
      ours: await historyRequest(lab, 'track/'),
      floor: { url: `${address.month}?${period(MONTH_DAYS)}`, pid: address.pid },
      connections: 1,
      rounds: 5,
    })
  },
}

export const historyMonth: Row[] = [
  HAS_TRACK ? months : { id: months.id, name: months.name, omitted: NO_TRACK },
  beside('pages', 'pages', ''),
  beside('csv', 'csv', 'export_csv/'),
  HAS_TRACK
    ? beside('track', 'one compact answer', 'track/')
    : { id: 'D5/track', name: 'small request beside two who read a month', omitted: NO_TRACK },
]
