import type { Browser, CDPSession } from '@playwright/test'

export type Line = {
  latencyMs: number
  /** Bits per second down and up; without it the line has no limit. */
  bitsPerSecond?: { down: number; up: number }
  /** How many times slower the processor is. */
  slowdown?: number
}

export const LINES = {
  free: { latencyMs: 0 },
  /** One second a request and no other limit, so that seconds are round trips, also on a busy machine. */
  far: { latencyMs: 1000 },
  slow: { latencyMs: 150, bitsPerSecond: { down: 1_600_000, up: 750_000 }, slowdown: 4 },
} satisfies Record<string, Line>

export type Measurement = { ms: number; requests: number; scripts: number; bytes: number; rounds: number }

type Visit = {
  url: string
  /** CSS selector of what makes the page usable. */
  usable: string
  token?: string
  line?: Line
}

/** Opens a page in a fresh browser context and measures until it is usable. Bytes are those on the wire. */
export async function measurePage(browser: Browser, { url, usable, token, line = LINES.free }: Visit): Promise<Measurement> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    if (token) await page.addInitScript((kept) => localStorage.setItem('token', kept), token)
    const devtools = await context.newCDPSession(page)
    const traffic = await countTraffic(devtools)
    await applyLine(devtools, line)
    await page.goto(url, { waitUntil: 'commit', timeout: 120_000 })
    await page.waitForFunction(
      (selector) => [...document.querySelectorAll(selector)].some((element) => element.getBoundingClientRect().width > 0),
      usable,
      { timeout: 240_000 },
    )
    const ms = await page.evaluate(() => performance.now())
    return { ms, rounds: traffic.countRounds(), ...traffic.counts }
  } finally {
    await context.close()
  }
}

async function countTraffic(devtools: CDPSession) {
  const counts = { requests: 0, scripts: 0, bytes: 0 }
  const spans = new Map<string, { from: number; to: number }>()
  devtools.on('Network.requestWillBeSent', ({ requestId, timestamp, request, type }) => {
    if (request.url.includes('/mock/panel/')) return
    counts.requests++
    if (type === 'Script' || request.url.endsWith('.js')) counts.scripts++
    spans.set(requestId, { from: timestamp, to: Number.POSITIVE_INFINITY })
  })
  devtools.on('Network.responseReceived', ({ requestId, timestamp }) => {
    const span = spans.get(requestId)
    if (span) span.to = timestamp
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (spans.has(requestId)) counts.bytes += encodedDataLength
  })
  await devtools.send('Network.enable')
  return { counts, countRounds: () => countRounds([...spans.values()]) }
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
