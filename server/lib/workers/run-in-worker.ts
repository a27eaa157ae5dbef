import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { ErrorCode } from '#contracts/lib/errors.ts'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { Failure } from '#server/lib/errors.ts'

/** The worker of each kind of task, which runs one task at a time. */
const LANES = {
  files: createLane({ megabytes: 64, seconds: 120, refusal: refuseTooComplex }),
  pictures: createLane({ megabytes: 128, seconds: 90, refusal: refuseTooComplex }),
  papers: createLane({ megabytes: 192, seconds: 90, refusal: () => new Failure('unavailable') }),
}

const LANE_OF = { positions: 'files', places: 'files', photo: 'pictures', map: 'papers', form: 'papers', invoice: 'papers' } as const

export type WorkName = keyof typeof LANE_OF

export type Work = { name: WorkName; input: unknown[] }

export type WorkAnswer = { value: unknown } | { failure: { code: ErrorCode; extras: Failure['extras'] } } | { error: Error }

type Limits = {
  /** Heap limit. Above it the thread ends, and the process continues. */
  megabytes: number
  /** Limit of processor time. On a busy machine the wall time may be a multiple of it. */
  seconds: number
  /** The error for tasks that exceed the limit. */
  refusal: () => Failure
}

/** A task is given up after this multiple of its processor time. */
const MOST_WAITING = 5

/** Seconds of processor time of all threads: that of a single one cannot be read in Node 20. */
function processorSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Remaining seconds of a task, by its processor time and the elapsed time; 0 or less when it has used them up. */
export const secondsLeft = (limit: number, { taken, passed }: { taken: number; passed: number }) =>
  Math.min(limit - taken, limit * MOST_WAITING - passed)

/** How long a thread waits for the next task before it releases its memory. */
const IDLE_MS = 30_000

/**
 * Runs a task of `server/worker/worker.ts` in a thread, so that the main thread stays free for requests and no input can exhaust the memory
 * of the process. Tasks of a kind run in order, one at a time. Input and result are copied.
 */
export const runInWorker = <F extends (...input: never[]) => unknown>(name: WorkName, ...input: Parameters<F>) =>
  LANES[LANE_OF[name]]({ name, input }) as Promise<Awaited<ReturnType<F>>>

export function createLane({ megabytes, seconds, refusal }: Limits) {
  const takeTurns = pLimit(1)
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  const stop = () => {
    void worker?.terminate()
    worker = null
  }

  const run = async (work: Work) => {
    clearTimeout(idle)
    worker ??= await startWorker(megabytes)
    worker.ref()
    try {
      return await askWorker(worker, work, { seconds, refusal })
    } catch (error) {
      if (!(error instanceof AnsweredError)) stop()
      throw error instanceof AnsweredError ? error.cause : error
    } finally {
      worker?.unref()
      idle = setTimeout(stop, IDLE_MS).unref()
    }
  }

  return (work: Work) => takeTurns(run, work)
}

/** The thread has responded with a failure, so it can run the next task. */
class AnsweredError extends Error {}

function askWorker(worker: Worker, work: Work, { seconds, refusal }: Pick<Limits, 'seconds' | 'refusal'>): Promise<unknown> {
  let finish = () => {}
  return new Promise<unknown>((resolve, reject) => {
    const [processor, clock] = [processorSeconds(), performance.now()]
    let timer: NodeJS.Timeout
    const wait = () => {
      const left = secondsLeft(seconds, { taken: processorSeconds() - processor, passed: (performance.now() - clock) / 1000 })
      if (left <= 0) return reject(refusal())
      timer = setTimeout(wait, Math.max(left, 0.1) * 1000)
    }
    wait()
    const onMessage = (answer: WorkAnswer) => {
      if ('value' in answer) resolve(answer.value)
      else
        reject(
          new AnsweredError('', { cause: 'failure' in answer ? new Failure(answer.failure.code, answer.failure.extras) : answer.error }),
        )
    }
    const onError = (error: Error & { code?: string }) => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refusal() : error)
    const onExit = () => reject(refusal())
    worker.once('message', onMessage).once('error', onError).once('exit', onExit)
    finish = () => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    worker.postMessage(work)
  }).finally(() => finish())
}

/** Source files need a TypeScript loader in each thread; an installation has the entry as a built file. */
const IS_SOURCE = import.meta.url.endsWith('.ts')

const FOLDER = path.dirname(fileURLToPath(import.meta.url))

/**
 * A program that loads the entry from its source. Uses paths, since the bundler of the portal's tests changes URLs relative to a module.
 */
function writeLoader() {
  const tsx = path.dirname(createRequire(import.meta.url).resolve('tsx/package.json'))
  const [loader, entry] = [path.join(tsx, 'dist/esm/api/index.mjs'), path.resolve(FOLDER, '../../worker/worker.ts')].map((file) =>
    pathToFileURL(file),
  )
  return `import('${loader}').then(({ register }) => { register(); return import('${entry}') })`
}

/** The entry next to the built programs. The bundler puts this module into one of them or into `chunks`. */
function findBuiltEntry() {
  const entry = [FOLDER, path.dirname(FOLDER)].map((each) => path.join(each, 'worker.js')).find((file) => existsSync(file))
  if (!entry) throw new Error(`worker.js is missing beside the programs of ${FOLDER}`)
  return entry
}

async function startWorker(megabytes: number) {
  // Its library must stay loaded while threads that use it start and end.
  await import('sharp')
  const worker = new Worker(IS_SOURCE ? writeLoader() : findBuiltEntry(), {
    eval: IS_SOURCE,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 16 },
  })
  // Without a listener, an error of an ending thread would crash the process.
  return worker.on('error', () => {})
}

function refuseTooComplex() {
  return new Failure('validation_error', { errors: { [UPLOAD_FIELD]: ['too_complex'] } })
}
