import { ApiError } from '#web/lib/api/api-error.ts'
import { pause } from '#web/lib/lost.ts'

const FEW = 4
/** Pauses after each consecutive rejection for too many requests. Together a minute, the usual window of rate limits. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 16_000, 30_000]

type Options<Result> = {
  signal?: AbortSignal
  /** Called with the results so far, in the order of the items. */
  onResult?(results: Result[]): void
  wait?(ms: number): Promise<void>
}

/**
 * Reads data of many items, with four requests at a time. When the backend rejects one for too many requests, the others wait too, and from
 * then on requests are sequential.
 */
export async function readFewAtATime<Thing, Result>(
  things: readonly Thing[],
  read: (thing: Thing) => Promise<Result>,
  { signal, onResult, wait = pause }: Options<Result> = {},
): Promise<Result[]> {
  const results: { value: Result }[] = []
  let [width, next, calm] = [FEW, 0, Promise.resolve()]
  const readPatiently = async (thing: Thing): Promise<Result> => {
    for (let refusals = 0; ; refusals++) {
      await calm
      signal?.throwIfAborted()
      try {
        return await read(thing)
      } catch (error) {
        const ms = error instanceof ApiError && error.status === 429 ? PAUSES_MS[refusals] : undefined
        if (ms === undefined) throw error
        width = 1
        calm = wait(ms)
      }
    }
  }
  const work = async (lane: number) => {
    while (lane < width && next < things.length) {
      const index = next++
      results[index] = { value: await readPatiently(things[index]!) }
      onResult?.(Object.values(results).map(({ value }) => value))
    }
  }
  await Promise.all(Array.from({ length: FEW }, (_, lane) => work(lane)))
  return results.map(({ value }) => value)
}
