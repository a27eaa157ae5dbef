/** Lost requests that may be repeated are sent again after each of these pauses. */
export const RETRY_PAUSES_MS = [250, 750, 1500]

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Whether the network failed, rather than our time limit or a browser that is offline. */
export const isLost = (error: unknown) =>
  globalThis.navigator?.onLine !== false && !(error instanceof Error && error.name === 'TimeoutError')
