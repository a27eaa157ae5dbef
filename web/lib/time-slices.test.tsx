import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Work } from '#contracts/rules/work.ts'
import { createTimeSliced, runInTimeSlices, useTimeSliced } from './time-slices.ts'

function* count(steps: number, onStep: () => void = () => undefined): Work<number> {
  for (let step = 0; step < steps; step++) {
    onStep()
    yield
  }
  return steps
}

test('a computation never runs for longer than eight milliseconds without a pause', async () => {
  let time = 0
  let [sincePause, longest] = [0, 0]
  const work = count(100, () => {
    time += 1
    sincePause += 1
    longest = Math.max(longest, sincePause)
  })
  const pause = async () => {
    sincePause = 0
  }
  expect(await runInTimeSlices(work, { now: () => time, pause })).toBe(100)
  expect(longest).toBe(8)
})

test('an aborted computation stops at its next pause', async () => {
  const stop = new AbortController()
  let [time, steps] = [0, 0]
  const work = count(1000, () => {
    time += 1
    steps += 1
  })
  const pause = async () => stop.abort()
  await expect(runInTimeSlices(work, { now: () => time, pause, signal: stop.signal })).rejects.toBe(stop.signal.reason)
  expect(steps).toBe(8)
})

test('a short computation is done at once, and only once per input', () => {
  const start = vi.fn(({ steps }: { steps: number }) => count(steps))
  const compute = createTimeSliced(start)
  const input = { steps: 3 }
  expect(compute(input).read()).toBe(3)
  expect(compute(input)).toBe(compute(input))
  expect(start).toHaveBeenCalledOnce()
})

test('while a newer input is computed, the result of the older one stays, but not that of another key', async () => {
  const slow = { isSlow: true }
  const results = new Map<object, { value?: string; listener?: () => void }>()
  const compute = (input: object) => {
    const job = results.get(input) ?? {}
    results.set(input, job)
    return {
      read: () => job.value,
      subscribe: (listener: () => void) => {
        job.listener = listener
        return () => undefined
      },
    }
  }
  const first = {}
  results.set(first, { value: 'first' })
  const Shown = ({ input, of }: { input: object; of: string }) => <p>{useTimeSliced(compute, input, of) ?? 'nothing'}</p>
  const { rerender } = render(<Shown input={first} of="monday" />)
  rerender(<Shown input={slow} of="monday" />)
  expect(screen.getByText('first')).toBeVisible()
  rerender(<Shown input={slow} of="tuesday" />)
  expect(screen.getByText('nothing')).toBeVisible()
  const job = results.get(slow)!
  act(() => {
    job.value = 'second'
    job.listener?.()
  })
  expect(screen.getByText('second')).toBeVisible()
})
