/** Loaded before a built program of a test, in a run that records: writes what the program called, also when it is killed. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { threadId } from 'node:worker_threads'

const { CALLS_DIR, CALLS_TEST } = process.env
const WRITE_MS = 100

const counters = new Map()
globalThis.__openCalls = (file, count) => {
  const calls = counters.get(file) ?? new Uint8Array(count)
  counters.set(file, calls)
  return calls
}

let written = ''
const write = () => {
  const called = [...counters].map(([file, calls]) => [file, [...calls].flatMap((each, index) => (each ? [index] : []))])
  const functions = Object.fromEntries(called.filter(([, calls]) => calls.length > 0))
  const text = JSON.stringify({ test: CALLS_TEST, seconds: 0, calls: functions })
  if (text === written) return
  written = text
  mkdirSync(CALLS_DIR, { recursive: true })
  const file = path.join(CALLS_DIR, `process-${process.pid}-${threadId}`)
  // The rename is atomic, so a kill leaves the previous file complete.
  writeFileSync(`${file}.part`, text)
  renameSync(`${file}.part`, `${file}.json`)
}

if (CALLS_DIR && CALLS_TEST) {
  setInterval(write, WRITE_MS).unref()
  process.on('exit', write)
}
