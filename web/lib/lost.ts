/** What got lost on the way and may be repeated is requested again after each of these pauses. */
export const RETRY_PAUSES_MS = [250, 750, 1500]

/** A chunk cannot be replaced by a message: a page of twenty chunks must open on a line that loses every third request. */
export const CHUNK_PAUSES_MS = [...RETRY_PAUSES_MS, 3000, 5000, 5000, 5000]

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Whether the network failed, rather than our time limit or a browser that is offline. */
export const isLost = (error: unknown) =>
  globalThis.navigator?.onLine !== false && !(error instanceof Error && error.name === 'TimeoutError')
