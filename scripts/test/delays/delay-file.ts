/** Set-up file of Vitest, in a run with delays: each test draws its own from the seed, its file and its name. */
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, vi } from 'vitest'
import { createDelays, setDelays, wait } from './delays.ts'

const { setTimeout: setTimer } = globalThis
const file = path.relative(process.cwd(), Reflect.get(globalThis, '__vitest_worker__').filepath).replaceAll(path.sep, '/')

beforeEach(({ task }) => {
  const delays = createDelays(`${process.env.TEST_DELAYS} ${file} ${task.fullTestName ?? task.name}`, setTimer)
  // A test that moves its timers by hand says itself when something happens.
  setDelays({ wait: () => (vi.isFakeTimers() ? Promise.resolve() : delays.wait()) })
})
afterEach(() => setDelays(undefined))

const ORIGINAL = Symbol.for('whereabouts.postMessage')
const prototype = Worker.prototype as Worker & { [ORIGINAL]?: Worker['postMessage'] }
const post = prototype[ORIGINAL] ?? prototype.postMessage
prototype[ORIGINAL] = post
prototype.postMessage = function postLater(...message) {
  void wait().then(() => post.apply(this, message))
}
