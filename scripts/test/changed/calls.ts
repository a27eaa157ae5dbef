/** The numbers of the functions that were called, by path, in the order of `parseUnits`. */
export type Calls = Record<string, number[]>

type Sink = Map<string, Set<number>>

type Recorded = {
  /** One byte for each function of all files, 1 if it was called and is in no sink yet. */
  called: Uint8Array
  /** The first byte of each file. */
  files: Map<string, number>
  /** The file of each byte. */
  paths: string[]
  test: Sink
  /** Called while a server was built. */
  starting: Sink
  /** What each endpoint called, such as `places.create`. */
  endpoints: Map<string, Sink>
  /** Sinks of what is called now, with the number of their users. */
  open: Map<Sink, number>
}

declare global {
  /** Exists in a run that records calls. */
  var __openCalls: ((path: string, count: number) => Uint8Array) | undefined
  var __recordedCalls: Recorded | undefined
}

const MOST_FUNCTIONS = 2 ** 17

/** Begins to record, once in a process. */
export function startRecording() {
  if (globalThis.__recordedCalls) return
  const [called, files, paths] = [new Uint8Array(MOST_FUNCTIONS), new Map<string, number>(), [] as string[]]
  const test: Sink = new Map()
  globalThis.__recordedCalls = { called, files, paths, test, starting: new Map(), endpoints: new Map(), open: new Map([[test, 1]]) }
  globalThis.__openCalls = (path, count) => {
    const start = files.get(path) ?? paths.length
    if (start === paths.length) for (let index = 0; index < count; index++) paths.push(path)
    files.set(path, start)
    return called.subarray(start, start + count)
  }
}

/** Adds what was called since the last time to all open sinks. */
function settle({ called, files, paths, open }: Recorded) {
  for (let at = called.indexOf(1); at >= 0; at = called.indexOf(1, at + 1)) {
    called[at] = 0
    const path = paths[at]!
    for (const sink of open.keys()) {
      const set = sink.get(path)
      if (set) set.add(at - files.get(path)!)
      else sink.set(path, new Set([at - files.get(path)!]))
    }
  }
}

const openSink = (recorded: Recorded, sink: Sink) => {
  settle(recorded)
  recorded.open.set(sink, (recorded.open.get(sink) ?? 0) + 1)
}

const closeSink = (recorded: Recorded, sink: Sink) => {
  settle(recorded)
  const users = (recorded.open.get(sink) ?? 1) - 1
  if (users === 0) recorded.open.delete(sink)
  else recorded.open.set(sink, users)
}

function take(sink: Sink): Calls {
  const calls = Object.fromEntries([...sink].map(([path, called]) => [path, [...called]]))
  sink.clear()
  return calls
}

/** Returns what the test called since the last time. */
export function takeCalls(): Calls {
  settle(globalThis.__recordedCalls!)
  return take(globalThis.__recordedCalls!.test)
}

/** Returns what endpoints called, and what was called while servers were built, since the last time. */
export function takeShared() {
  const { endpoints, starting } = globalThis.__recordedCalls!
  return { endpoints: Object.fromEntries([...endpoints].map(([name, sink]) => [name, take(sink)])), starting: take(starting) }
}

/**
 * Runs work that only the first of several test files needs, such as building a server that serves them all. What it calls counts for all
 * tests that use the result, not for the one that came first.
 */
export async function recordAsStart<T>(work: () => Promise<T>): Promise<T> {
  const recorded = globalThis.__recordedCalls
  if (!recorded) return work()
  const move = (from: Sink, to: Sink) => {
    settle(recorded)
    recorded.open.delete(from)
    recorded.open.set(to, 1)
  }
  move(recorded.test, recorded.starting)
  try {
    return await work()
  } finally {
    move(recorded.starting, recorded.test)
  }
}

/** Records what a request calls, also beside others; call the returned function at its end. */
export function recordEndpoint(name: string) {
  const recorded = globalThis.__recordedCalls!
  const sink: Sink = recorded.endpoints.get(name) ?? new Map()
  recorded.endpoints.set(name, sink)
  openSink(recorded, sink)
  return () => closeSink(recorded, sink)
}
