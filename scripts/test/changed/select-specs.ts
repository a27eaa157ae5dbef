import type { CallRecord } from './call-record.ts'
import { findReached, IMPORT, listImporters, STATIC_IMPORT } from './import-graph.ts'

const PAGE = 'web/index.html'
/** Scripts of the page that no list of the build's modules has: one is a part of the page, the other is loaded by its path. */
const SCRIPTS_OF_PAGE = ['web/app/start/start.ts', 'web/app/update/worker.ts']

/** Collects what changed for browser tests, and selects those whose requests or imports lead to it. */
export function collectSpecs(files: ReadonlyMap<string, string>, record: CallRecord) {
  const recorded = Object.entries(record.browser).map(([spec, { endpoints, modules }]) => ({ spec, endpoints, modules: new Set(modules) }))
  const loaded = new Set(recorded.flatMap(({ modules }) => [...modules]))
  const ofPage = findReached(SCRIPTS_OF_PAGE, files)
  const staticImporters = listImporters(files, STATIC_IMPORT)
  const importers = listImporters(files, IMPORT)
  /** Each selected spec with the first reason for it. */
  const selected = new Map<string, string>()
  const add = (spec: string, why: string) => {
    if (!selected.has(spec)) selected.set(spec, why)
  }

  const modules = new Set<string>()
  /** Adds the specs that load a module; for one that none has loaded, those that load what imports it. */
  const addModule = (path: string, why: string) => {
    if (modules.has(path)) return
    modules.add(path)
    for (const each of recorded) if (each.modules.has(path)) add(each.spec, why)
    if (ofPage.has(path)) addModule(PAGE, why)
    if (!loaded.has(path)) for (const importer of staticImporters.get(path) ?? []) addModule(importer, why)
  }

  const supports = new Set<string>()
  /** Adds the specs that import a file. */
  const addSupport = (path: string, why: string) => {
    if (supports.has(path)) return
    supports.add(path)
    if (path.endsWith('.spec.ts')) add(path, why)
    for (const importer of importers.get(path) ?? []) addSupport(importer, why)
  }

  return {
    selected,
    addModule,
    addSupport,
    /** Adds the specs that call an endpoint. */
    addEndpoint(name: string, why: string) {
      for (const { spec, endpoints } of recorded) if (endpoints.includes(name)) add(spec, why)
    },
    /** Adds the specs that load words of a language and a module that has their key. */
    addWords(path: string, users: readonly string[], why: string) {
      for (const each of recorded) if (each.modules.has(path) && users.some((user) => each.modules.has(user))) add(each.spec, why)
    },
    /** Adds all specs that use the server. */
    addServer(why: string) {
      for (const { spec, endpoints } of recorded) if (endpoints.length > 0) add(spec, why)
    },
  }
}
