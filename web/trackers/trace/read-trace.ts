import { type BorderPair, days } from '#contracts/days.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import type { Borders } from '#contracts/rules/history/borders.ts'
import { millis } from '#contracts/rules/time.ts'
import { decodeTrack } from '#contracts/track/codec.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import { clientPorts, createClient, type RequestOptions } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { hasFeature } from '#web/lib/other-backends/features.ts'
import { runInTimeSlices } from '#web/lib/time-slices.ts'
import { positionsApi } from './positions.api.ts'
import { type Progress, readPages } from './read-pages.ts'

const daysApi = createClient(days, clientPorts)

export type TracePeriod = { not_before: string; not_after?: string | undefined }

type Parts = {
  signal: AbortSignal
  onProgress(progress: Progress): void
  /** The result of an earlier attempt. */
  known?: Progress | undefined
  pause?(ms: number): Promise<void>
}

/** Reads all positions of a period, and the tracker's positions at its borders if the backend has day totals. */
export async function readTrace(id: number, period: TracePeriod, parts: Parts): Promise<PositionColumns> {
  const reading = readBorders(id, period, parts)
  // A failure of the positions takes precedence.
  reading.catch(() => undefined)
  const positions = await readPositions(id, period, parts)
  const borders = await reading
  return borders ? { ...positions, borders } : positions
}

async function readBorders(id: number, period: TracePeriod, { signal, pause = wait }: Parts): Promise<Borders | null> {
  if (!hasFeature('days')) return null
  const send = (options: RequestOptions) => daysApi.borders({ params: { id }, query: period }, options)
  const found = await repeat(send, wasLost, signal, pause).catch(nullIfMissing)
  return found && { start: toFix(found.start), end: toFix(found.end) }
}

const toFix = (border: BorderPair['start']): Fix | null => border && { ...border, datetime: millis(border.datetime) }

/** In one compact response if the backend supports it, else page by page. */
async function readPositions(
  id: number,
  period: TracePeriod,
  { signal, onProgress, known, pause = wait }: Parts,
): Promise<PositionColumns> {
  const params = { id }
  if (hasFeature('track')) {
    const read = async (options: RequestOptions) => decode(await positionsApi.track({ params, query: period }, options), signal)
    const whole = await repeat(read, wasLost, signal, pause).catch(nullIfMissing)
    if (whole) return whole
  }
  return readPages({
    readPage: (page) => {
      const send = (options: RequestOptions) => positionsApi.history({ params, query: { ...period, ...page } }, options)
      // A failure of the first page loses nothing that was read before.
      return repeat(send, Object.keys(page).length > 0 ? mayRecover : wasLost, signal, pause)
    },
    onProgress,
    known,
  })
}

/** A truncated response cannot be decoded. */
const decode = (bytes: Uint8Array, signal: AbortSignal) =>
  runInTimeSlices(decodeTrack(bytes), { signal }).catch((error: unknown) => {
    throw error instanceof RangeError ? new ApiError(200, { code: 'unreadable' }) : error
  })

/** The configuration may list a feature that a server behind a proxy does not have. */
function nullIfMissing(error: unknown) {
  const isMissing = error instanceof ApiError && (error.code === 'unreadable' || [404, 405, 501].includes(error.status))
  if (!isMissing) throw error
  return null
}

/** Pauses before a request is repeated, in ms. */
const PAUSES = [500, 2000, 5000]

type Send<T> = (options: RequestOptions) => Promise<T>

/** Repeats a request after a transient failure. The last attempt fails like any other request. */
async function repeat<T>(send: Send<T>, mayPass: (error: ApiError) => boolean, signal: AbortSignal, pause: (ms: number) => Promise<void>) {
  for (const ms of PAUSES) {
    try {
      return await send({ signal, staysOnNoAnswer: true })
    } catch (error) {
      if (!(error instanceof ApiError && mayPass(error))) throw error
    }
    await pause(ms)
    signal.throwIfAborted()
  }
  return send({ signal })
}

/** Lost, completely or in part. */
const wasLost = ({ status, code }: ApiError) => status === 0 || code === 'unreadable'
const mayRecover = (error: ApiError) => wasLost(error) || error.status >= 500 || error.status === 429

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
