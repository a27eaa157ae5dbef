import { Failure } from '#server/lib/errors.ts'

/** Costly requests of one account that may wait for the running one; more are rejected. */
const WAITING = 2
const RETRY_AFTER_SECONDS = 10

type Line = { waiting: (() => void)[] }

/** Queues by database, since the worlds of one process do not wait for each other. */
const lines = new WeakMap<object, Map<string, Line>>()

/**
 * Runs one costly request of an account at a time, before its body is read. Accounts do not wait for each other here, and each of them has
 * at most one task in the queues of the workers, so there they take turns. `leave` of the result lets the next one run, or gives up a place
 * in the queue. Throws `account_busy` when the queue is full.
 */
export function enterGate(owner: object, account: string, isPatient = false): { entered: Promise<void>; leave: () => void } {
  const all = lines.get(owner) ?? new Map<string, Line>()
  lines.set(owner, all)
  const line = all.get(account)
  if (!line) {
    all.set(account, { waiting: [] })
    return { entered: Promise.resolve(), leave: once(() => letNext(all, account)) }
  }
  if (line.waiting.length >= WAITING && !isPatient) throw refuseBusy()
  let enter = () => {}
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  line.waiting.push(enter)
  const leave = once(() => {
    const place = line.waiting.indexOf(enter)
    if (place < 0) return letNext(all, account)
    line.waiting.splice(place, 1)
    enter()
  })
  return { entered, leave }
}

function letNext(all: Map<string, Line>, account: string) {
  const next = all.get(account)?.waiting.shift()
  if (next) next()
  else all.delete(account)
}

/** Runs background work, such as the invoice of a mail, one at a time per kind; all others wait. */
export async function runInTurn<T>(owner: object, kind: string, work: () => Promise<T>): Promise<T> {
  const { entered, leave } = enterGate(owner, kind, true)
  await entered
  try {
    return await work()
  } finally {
    leave()
  }
}

function once(work: () => void) {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

function refuseBusy() {
  const failure = new Failure('account_busy')
  failure.retryAfter = RETRY_AFTER_SECONDS
  return failure
}
