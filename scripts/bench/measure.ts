import { type Call, type Load, openLoad } from './load.ts'
import { compareFigures, type Outcome } from './row.ts'

/**
 * The host takes the CPU away in bursts, so averages of short runs mean little: variants alternate in many short rounds, and the fast end
 * of each is compared. Work with periodic costs (checkpoints, compaction) compares means instead, because the fast end excludes those
 * costs.
 */
const HTTP_ROUNDS = 12
const ROUND_MS = 120
const CONNECTIONS = 16
export const FAST_END = 0.9

export const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

type Rates = { ours: Call; floor: Call; connections?: number; rounds?: number }

/**
 * Requests per second of CPU time of two servers under the same load. CPU time, because the load generator and whatever else runs would
 * otherwise count as the server's; the rate of a server that has a core for itself is the same.
 */
export const compareRates = (rates: Rates) => compareServers(rates, measureCpuRate, (all) => quantile(all, FAST_END))

/** Requests per second of wall time, as a mean: for work with periodic costs, and for servers that wait for the disk. */
export const compareMeans = (rates: Rates) => compareServers(rates, measureClockRate, mean)

async function compareServers(
  { connections = CONNECTIONS, rounds = HTTP_ROUNDS, ...row }: Rates,
  rate: (load: Load) => Promise<number>,
  summarize: (rates: number[]) => number,
): Promise<Outcome> {
  const [ours, floor] = [await openLoad(row.ours, connections), await openLoad(row.floor, connections)]
  const [oursRates, floorRates] = await alternate(rounds, [() => rate(ours), () => rate(floor)])
  for (const load of [ours, floor]) load.close()
  return compareFigures(summarize(oursRates!), summarize(floorRates!), '/s')
}

async function measureCpuRate(load: Load) {
  const { requests, cpuMs } = await load.run(ROUND_MS)
  return (requests * 1000) / cpuMs
}

async function measureClockRate(load: Load) {
  const { requests, ms } = await load.run(ROUND_MS)
  return (requests * 1000) / ms
}

type Work = () => unknown
type Times = { ours: Work; floor: Work; rounds?: number; statistic?: 'fastest' | 'mean'; each?: number; unit?: 'ms' | 'µs' }

/** Compares the time of two functions in this process; the ratio is ours / floor. `each`: the number of items that one call processes. */
export async function compareTimes({ rounds = 30, statistic = 'fastest', each = 1, unit = 'ms', ...row }: Times): Promise<Outcome> {
  const of = (times: number[]) => (statistic === 'mean' ? mean(times) : Math.min(...times))
  const [ours, floor] = await alternate(rounds, [() => time(row.ours), () => time(row.floor)])
  const factor = (unit === 'µs' ? 1000 : 1) / each
  return compareFigures(of(ours!) * factor, of(floor!) * factor, unit)
}

export async function time(work: Work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** Runs each variant once a round, in rotating order, after a warm-up round. */
export async function alternate<T>(rounds: number, variants: (() => Promise<T>)[]): Promise<T[][]> {
  const results = variants.map((): T[] => [])
  for (let round = -1; round < rounds; round++)
    for (let turn = 0; turn < variants.length; turn++) {
      const index = (turn + round + variants.length) % variants.length
      const result = await variants[index]!()
      if (round >= 0) results[index]!.push(result)
    }
  return results
}
