import type { Browser, CDPSession, Page } from '@playwright/test'

export type Line = {
  latencyMs: number
  /** Bits per second down and up; unlimited if omitted. */
  bitsPerSecond?: { down: number; up: number }
  /** Factor by which the processor is slowed down. */
  slowdown?: number
}

export const LINES = {
  free: { latencyMs: 0 },
  /** One second of latency and no other limit, so that seconds equal round trips, even on a busy machine. */
  far: { latencyMs: 1000 },
  slow: { latencyMs: 150, bitsPerSecond: { down: 1_600_000, up: 750_000 }, slowdown: 4 },
} satisfies Record<string, Line>

/** `busyMs`: how long after the page is usable its last task of more than 50 ms ends, if that was measured. */
export type Measurement = { ms: number; requests: number; scripts: number; bytes: number; rounds: number; busyMs?: number }

type Visit = {
  url: string
  /** CSS selector of the element that makes the page usable. */
  usable: string
  token?: string
  line?: Line
  /** Whether to wait until the page has been idle for a second. */
  untilIdle?: boolean
}

/** Opens a page in a fresh browser context and measures until it is usable. Bytes are those on the wire. */
export async function measurePage(
  browser: Browser,
  { url, usable, token, line = LINES.free, untilIdle = false }: Visit,
): Promise<Measurement> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    if (token) await page.addInitScript((kept) => localStorage.setItem('token', kept), token)
    const devtools = await context.newCDPSession(page)
    const traffic = await countTraffic(devtools)
    await applyLine(devtools, line)
    await page.goto(url, { waitUntil: 'commit', timeout: 120_000 })
    const usableAt = await page.waitForFunction(
      (selector) =>
        [...document.querySelectorAll(selector)].some((element) => element.getBoundingClientRect().width > 0) && performance.now(),
      usable,
      { timeout: 240_000 },
    )
    const ms = Number(await usableAt.jsonValue())
    const origin = await page.evaluate(() => performance.timeOrigin)
    const counts = traffic.countUntil((origin + ms) / 1000)
    return { ms, ...counts, ...(untilIdle && { busyMs: Math.max(0, (await findLastTaskEnd(page)) - ms) }) }
  } finally {
    await context.close()
  }
}

/** Waits until a second has passed without a long task (of more than 50 ms), and returns when the last one ended, in the page's time. */
const findLastTaskEnd = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let end = 0
        let timer = setTimeout(() => resolve(end), 1000)
        new PerformanceObserver((list) => {
          for (const { startTime, duration } of list.getEntries()) end = Math.max(end, startTime + duration)
          clearTimeout(timer)
          timer = setTimeout(() => resolve(end), 1000)
        }).observe({ type: 'longtask', buffered: true })
      }),
  )

/**
 * The developer panel, and the tab's icon: ordinary browsers fetch it in parallel to the page, which never waits for it; headless shells
 * don't.
 */
const UNCOUNTED = /\/mock\/panel\/|\/icons\/icon\.svg$/

type Exchange = { url: string; isScript: boolean; sentAt: number; from: number; to: number; bytes: number }

/** `countUntil` counts requests sent until then (seconds since 1970): a usable page continues to load while it is measured. */
async function countTraffic(devtools: CDPSession) {
  const exchanges = new Map<string, Exchange>()
  devtools.on('Network.requestWillBeSent', ({ requestId, timestamp, wallTime, request, type }) => {
    if (UNCOUNTED.test(request.url)) return
    const isScript = type === 'Script' || request.url.endsWith('.js')
    exchanges.set(requestId, { url: request.url, isScript, sentAt: wallTime, from: timestamp, to: Number.POSITIVE_INFINITY, bytes: 0 })
  })
  devtools.on('Network.responseReceived', ({ requestId, timestamp }) => {
    const exchange = exchanges.get(requestId)
    if (exchange) exchange.to = timestamp
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const exchange = exchanges.get(requestId)
    if (exchange) exchange.bytes = encodedDataLength
  })
  await devtools.send('Network.enable')
  const countUntil = (end: number) => {
    const begun = [...exchanges.values()].filter(({ sentAt }) => sentAt <= end)
    // A preloaded script is imported from the browser's cache, without a byte on the wire.
    const sent = begun.filter((one) => one.bytes > 0 || begun.find(({ url }) => url === one.url) === one)
    return {
      requests: sent.length,
      scripts: sent.filter(({ isScript }) => isScript).length,
      bytes: sent.reduce((sum, { bytes }) => sum + bytes, 0),
      rounds: countRounds(sent),
    }
  }
  return { countUntil }
}

/** The longest chain of requests of which each began after the response to the one before. */
function countRounds(spans: { from: number; to: number }[]) {
  const answered = spans.filter(({ to }) => Number.isFinite(to)).sort((one, other) => one.to - other.to)
  let [rounds, end] = [0, Number.NEGATIVE_INFINITY]
  for (const { from, to } of answered)
    if (from >= end) {
      rounds++
      end = to
    }
  return rounds
}

async function applyLine(devtools: CDPSession, { latencyMs, bitsPerSecond, slowdown }: Line) {
  if (slowdown) await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bitsPerSecond ? bitsPerSecond.down / 8 : -1,
    uploadThroughput: bitsPerSecond ? bitsPerSecond.up / 8 : -1,
  })
}
