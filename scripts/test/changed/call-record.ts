import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { MODULES } from '#scripts/build/list-modules.ts'
import type { Calls } from './calls.ts'
import { parseUnits } from './parse-units.ts'
import { findEndpoints } from './record-endpoints.ts'

/** Numbers of callers, by what they called. */
type CallersOf = Record<string, number[]>

/** Which test called what. Functions have the hash of their code, so that the record fits any version of a file. */
export type CallRecord = {
  /** Recorded test files with the time that they took, and `endpoint NAME` for what an endpoint calls. */
  callers: { name: string; seconds: number }[]
  functions: Record<string, CallersOf>
  /** Tests by the endpoints that they call. */
  endpoints: CallersOf
  /** Called by all tests that use a server, while it was built. */
  starting: Record<string, string[]>
  /** Called while a module was loaded, which happens once for many tests. */
  loading: Record<string, string[]>
  /** The endpoints that browser tests call, and the modules in the files that their pages load. */
  browser: Record<string, { endpoints: string[]; modules: string[] }>
}

type Written = {
  test: string
  hasFailed?: boolean
  seconds: number
  loading?: Calls
  calls: Calls
  starting?: Calls
  endpoints?: Record<string, Calls>
}
type WrittenByBrowser = { spec: string; hasFailed?: boolean; requests: string[] }

export const RECORD_FILE = '.cache/calls.json.gz'

export const ENDPOINT = 'endpoint '

export const NO_RECORD = 'There is no record of which test calls what. A whole run makes it: npm test -- --record'

export const createRecord = (): CallRecord => ({ callers: [], functions: {}, endpoints: {}, starting: {}, loading: {}, browser: {} })

export const readRecord = (file = RECORD_FILE): CallRecord | undefined =>
  existsSync(file) ? JSON.parse(gunzipSync(readFileSync(file)).toString()) : undefined

export const writeRecord = (record: CallRecord, file = RECORD_FILE) => {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, gzipSync(JSON.stringify(record)))
}

/** Skips the partial file of a killed process. */
const readJson = <T>(folder: string): T[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')))
    : []

/** Leaves out files of tests that failed: they may have stopped before their last call. */
function readWritten(folder: string) {
  const nameOf = (each: Written | WrittenByBrowser) => ('spec' in each ? each.spec : each.test)
  const written = readJson<Written | WrittenByBrowser>(folder)
  const failed = new Set(written.filter(({ hasFailed }) => hasFailed).map(nameOf))
  const passed = written.filter((each) => !failed.has(nameOf(each)))
  return {
    all: passed.filter((each): each is Written => 'test' in each),
    byBrowser: passed.filter((each): each is WrittenByBrowser => 'spec' in each),
  }
}

const forget = (record: CallRecord, caller: number) => {
  for (const callersOf of [...Object.values(record.functions), record.endpoints])
    for (const [hash, callers] of Object.entries(callersOf)) callersOf[hash] = callers.filter((each) => each !== caller)
}

const addCaller = (all: CallersOf, name: string, caller: number) => {
  const callers = all[name] ?? []
  all[name] = callers
  if (!callers.includes(caller)) callers.push(caller)
}

const addNames = (all: Record<string, string[]>, file: string, names: string[]) => {
  all[file] = [...new Set([...(all[file] ?? []), ...names])]
}

/** Modules by the path of the built file that has them. */
const readModules = (folder: string) => new Map(readJson<Record<string, string[]>>(folder).flatMap((list) => Object.entries(list)))

function mergeBrowser(record: CallRecord, all: WrittenByBrowser[], folder: string) {
  const modules = readModules(folder)
  for (const spec of new Set(all.map((each) => each.spec))) {
    const requests = [...new Set(all.filter((each) => each.spec === spec).flatMap((each) => each.requests))]
    record.browser[spec] = {
      endpoints: [...new Set(requests.flatMap(findEndpoints))],
      modules: [...new Set(requests.flatMap((request) => modules.get(request.slice(request.indexOf(' ') + 1)) ?? []))],
    }
  }
}

/** Adds what a run has written; the test files that passed replace their former calls. Returns their number. */
export function mergeCalls(record: CallRecord, folder: string, modules = MODULES) {
  const { all, byBrowser } = readWritten(folder)
  mergeBrowser(record, byBrowser, modules)

  const hashes = new Map<string, string[]>()
  const hashesOf = (file: string) => {
    const known =
      hashes.get(file) ?? (existsSync(file) ? parseUnits(file, readFileSync(file, 'utf8')).functions.map(({ hash }) => hash) : [])
    hashes.set(file, known)
    return known
  }
  const toHashes = (calls: Calls = {}) =>
    Object.entries(calls).map(([file, indexes]) => [file, indexes.flatMap((index) => hashesOf(file)[index] ?? [])] as const)

  const numbers = new Map(record.callers.map(({ name }, index) => [name, index]))
  const numberOf = (name: string) => {
    const number = numbers.get(name) ?? record.callers.push({ name, seconds: 0 }) - 1
    numbers.set(name, number)
    return number
  }
  const addCalls = (caller: number, calls: Calls | undefined) => {
    for (const [file, names] of toHashes(calls)) {
      const callersOf = record.functions[file] ?? {}
      record.functions[file] = callersOf
      for (const name of names) addCaller(callersOf, name, caller)
    }
  }
  const addEndpoint = (name: string, caller: number, calls: Calls) => {
    addCaller(record.endpoints, name, caller)
    addCalls(numberOf(`${ENDPOINT}${name}`), calls)
  }

  const tests = new Set(all.map(({ test }) => test))
  for (const test of tests) {
    const isKnown = numbers.has(test)
    const number = numberOf(test)
    record.callers[number]!.seconds = 0
    if (isKnown) forget(record, number)
  }
  for (const { test, seconds, loading, calls, starting, endpoints } of all) {
    const number = numberOf(test)
    record.callers[number]!.seconds += seconds
    for (const part of [calls, loading]) addCalls(number, part)
    for (const [name, part] of Object.entries(endpoints ?? {})) addEndpoint(name, number, part)
    for (const [file, names] of toHashes(starting)) addNames(record.starting, file, names)
    for (const [file, names] of toHashes(loading)) addNames(record.loading, file, names)
  }
  return tests.size + new Set(byBrowser.map(({ spec }) => spec)).size
}

/** Least share of the functions of a file that its former path must have. */
const LEAST_IN_COMMON = 0.5

/** Looks up calls by file, also of files that moved since the record. */
export function createLookup(record: CallRecord, files: ReadonlyMap<string, string>, listHashes: (path: string) => readonly string[]) {
  const known = new Map<string, Set<string>>()
  for (const [path, callersOf] of Object.entries(record.functions)) known.set(path, new Set(Object.keys(callersOf)))
  for (const named of [record.starting, record.loading])
    for (const [path, hashes] of Object.entries(named)) known.set(path, new Set([...(known.get(path) ?? []), ...hashes]))
  const gone = [...known].filter(([path]) => !files.has(path))

  const formerPaths = new Map<string, string>()
  const findFormer = (path: string) => {
    const hashes = listHashes(path)
    const [best] = gone
      .map(([former, formerHashes]) => ({ former, count: hashes.filter((hash) => formerHashes.has(hash)).length }))
      .sort((a, b) => b.count - a.count)
    return best && best.count > 0 && best.count >= LEAST_IN_COMMON * hashes.length ? best.former : path
  }
  /** The path of a file when it was recorded. */
  const locate = (path: string) => {
    const former = formerPaths.get(path) ?? (known.has(path) ? path : findFormer(path))
    formerPaths.set(path, former)
    return former
  }
  return {
    /** Numbers of callers by the hash of the function. */
    findCallers: (path: string): Record<string, readonly number[]> => record.functions[locate(path)] ?? {},
    isStarting: (path: string, hash: string) => Boolean(record.starting[locate(path)]?.includes(hash)),
    isLoading: (path: string, hash: string) => Boolean(record.loading[locate(path)]?.includes(hash)),
  }
}
