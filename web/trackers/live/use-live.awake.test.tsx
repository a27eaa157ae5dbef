import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { whenAwake } from './use-live.ts'

let [isSeen, isOnline] = [true, true]
beforeEach(() => {
  isSeen = true
  isOnline = true
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isSeen ? 'visible' : 'hidden'))
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
})
afterEach(() => vi.restoreAllMocks())

const see = (yes: boolean) => {
  isSeen = yes
  document.dispatchEvent(new Event('visibilitychange'))
}
const connect = (yes: boolean) => {
  isOnline = yes
  window.dispatchEvent(new Event(yes ? 'online' : 'offline'))
}

function start() {
  const runs: AbortSignal[] = []
  const onSleep = vi.fn()
  const stop = whenAwake((signal) => runs.push(signal), onSleep)
  return { runs, onSleep, stop, running: () => runs.filter(({ aborted }) => !aborted).length }
}

describe('background pages', () => {
  test('work starts at once while the page is visible and online', () => {
    const { running, onSleep } = start()
    expect(running()).toBe(1)
    expect(onSleep).not.toHaveBeenCalled()
  })

  test.each([
    ['hidden', () => see(false), () => see(true)],
    ['offline', () => connect(false), () => connect(true)],
  ])('work pauses while %s and starts again afterwards', (_, sleep, wake) => {
    const { runs, running, onSleep } = start()
    sleep()
    expect(running()).toBe(0)
    expect(onSleep).toHaveBeenCalledOnce()
    wake()
    expect([running(), runs.length]).toEqual([1, 2])
  })

  test('work stays paused when the page is visible again but still offline', () => {
    const { running, onSleep } = start()
    see(false)
    connect(false)
    see(true)
    expect(running()).toBe(0)
    expect(onSleep).toHaveBeenCalledOnce()
    connect(true)
    expect(running()).toBe(1)
  })

  test('work never runs twice, however often the browser reports being online', () => {
    const { runs } = start()
    see(true)
    connect(true)
    connect(true)
    expect(runs).toHaveLength(1)
  })

  test('a page that opens in the background waits until it is visible', () => {
    isSeen = false
    const { runs } = start()
    expect(runs).toHaveLength(0)
    see(true)
    expect(runs).toHaveLength(1)
  })

  test('work that was stopped for good does not start again', () => {
    const { runs, running, stop } = start()
    stop()
    expect(running()).toBe(0)
    see(false)
    see(true)
    expect(runs).toHaveLength(1)
  })
})
