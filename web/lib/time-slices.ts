import { useMemo, useState, useSyncExternalStore } from 'react'
import type { Work } from '#contracts/rules/work.ts'

/** A frame at 60 per second is 16 ms; half of that time is left for the page. */
const SLICE_MS = 8

type Options = { signal?: AbortSignal | undefined; now?: () => number; pause?: () => Promise<void> }

/** Runs work in time slices, between which the page renders and responds. Rejects with the reason of an aborted signal. */
export async function runInTimeSlices<T>(work: Work<T>, { signal, now = readTime, pause = awaitNextTask }: Options = {}): Promise<T> {
  for (;;) {
    const slice = runSlice(work, SLICE_MS, now)
    if (slice) return slice.value
    await pause()
    signal?.throwIfAborted()
  }
}

/** The result, if it is available within the time. */
function runSlice<T>(work: Work<T>, ms: number, now: () => number): { value: T } | undefined {
  for (const end = now() + ms; now() < end; ) {
    const step = work.next()
    if (step.done) return { value: step.value }
  }
}

const readTime = () => performance.now()

type Scheduler = { scheduler?: { yield?: () => Promise<void> } }

const awaitNextTask = () => (globalThis as Scheduler).scheduler?.yield?.() ?? new Promise<void>((resolve) => setTimeout(resolve))

/** A computation whose result may already be available. */
export type Job<T> = { read(): T | undefined; subscribe(listener: () => void): () => void }

/** The remaining time slice, shared by jobs started in one task. */
let left = SLICE_MS

/** Starts at once, so that a short computation needs no second rendering. */
function startJob<T>(work: Work<T>): Job<T> {
  const begin = readTime()
  let found = runSlice(work, left, readTime)
  if (left === SLICE_MS) void awaitNextTask().then(() => (left = SLICE_MS))
  left -= readTime() - begin
  const listeners = new Set<() => void>()
  const finish = async () => {
    await awaitNextTask()
    found = { value: await runInTimeSlices(work) }
    for (const listener of listeners) listener()
  }
  if (!found) void finish()
  return {
    read: () => found?.value,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Returns a function that starts a computation in time slices, once per input. Results are dropped together with their input. */
export function createTimeSliced<I extends object, T>(start: (input: I) => Work<T>) {
  const jobs = new WeakMap<I, Job<T>>()
  return (input: I): Job<T> => {
    const job = jobs.get(input) ?? startJob(start(input))
    jobs.set(input, job)
    return job
  }
}

const NOTHING: Job<undefined> = { read: () => undefined, subscribe: () => () => undefined }

/**
 * The result of `compute`, undefined until it is available. While an input is replaced by a newer one with the same `key`, the result of
 * the older one stays.
 */
export function useTimeSliced<I extends object, T>(compute: (input: I) => Job<T>, input: I | undefined, key: string): T | undefined {
  const job: Job<T | undefined> = useMemo(() => (input ? compute(input) : NOTHING), [compute, input])
  const value = useSyncExternalStore(job.subscribe, job.read)
  const [last, setLast] = useState({ key, value })
  if (value !== undefined && (last.value !== value || last.key !== key)) setLast({ key, value })
  return value ?? (input && last.key === key ? last.value : undefined)
}

/** The results for several inputs, each undefined until it is available. */
export function useTimeSlicedEach<I extends object, T>(
  compute: (input: I) => Job<T>,
  inputs: readonly (I | undefined)[],
): (T | undefined)[] {
  const jobs = inputs.map((input): Job<T | undefined> => (input ? compute(input) : NOTHING))
  const subscribe = (listener: () => void) => {
    const forgets = jobs.map((job) => job.subscribe(listener))
    return () => {
      for (const forget of forgets) forget()
    }
  }
  useSyncExternalStore(subscribe, () => jobs.filter((job) => job.read() !== undefined).length)
  return jobs.map((job) => job.read())
}
