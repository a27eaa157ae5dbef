import type { CallRecord } from './call-record.ts'

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
