/** Set-up file of Vitest, in a run that records: writes what each test file called. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { threadId } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startRecording, takeCalls, takeShared } from './calls.ts'

const FOLDER = process.env.CALLS_DIR!

const test = path.relative(process.cwd(), Reflect.get(globalThis, '__vitest_worker__').filepath).replaceAll(path.sep, '/')
// For the programs that it starts.
process.env.CALLS_TEST = test
startRecording()
// What was called between two files, such as by timers of the one before.
takeCalls()
const began = performance.now()
let loading: ReturnType<typeof takeCalls> = {}
let hasFailed = false

beforeAll(() => {
  loading = takeCalls()
})

afterEach(({ task }) => {
  if (task.result?.state === 'fail') hasFailed = true
})

afterAll(() => {
  const written = { test, hasFailed, seconds: (performance.now() - began) / 1000, loading, calls: takeCalls(), ...takeShared() }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(path.join(FOLDER, `${test.replaceAll('/', '+')}-${process.pid}-${threadId}.json`), JSON.stringify(written))
})
