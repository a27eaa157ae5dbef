import { blankComments, isCode } from '#scripts/check/files.ts'
import { type CallRecord, createLookup, ENDPOINT } from './call-record.ts'
import { type Change, createNaming, listChangedKeys, listGone } from './compare-versions.ts'
import { CONTRACT_TABLES, kindOf, listChangedContracts } from './grounds.ts'
import { IMPORT, LATER_IMPORT, listImporters, listStarted, resolveImport } from './import-graph.ts'
import { type FunctionUnit, parseUnits, type StatementUnit, type Units } from './parse-units.ts'
import { collectSpecs } from './select-specs.ts'

export type Project = {
  /** All files as they are now. */
  files: ReadonlyMap<string, string>
  tests: readonly string[]
  record: CallRecord
}

/** Each selected test with the first reason for it. */
export type Selection = { tests: Map<string, string>; everything?: string }

const isTestFile = (path: string) => /\.(test|spec)\.tsx?$/.test(path)

/** What a browser can load: the portal, the developer panel and the bar of the demo. */
const isOfPage = (path: string) => /^(web|contracts|server\/mock\/(panel|demo\/bar))\//.test(path)
/** What runs in the process of browser tests, where no call is recorded. */
const isOfSpecs = (path: string) => /^(e2e|scripts)\//.test(path)

const SERVER = { file: 'server/test/start-portal.ts', why: 'is called while a server is built' }

const hasAny = (names: ReadonlySet<string>, wanted: readonly string[]) => wanted.some((name) => names.has(name))

/** Selects the tests that a change can break, by what they called when they were recorded. */
export function selectTests(changes: readonly Change[], { files, tests, record }: Project): Selection {
  const selected = new Map<string, string>()
  let everything: string | undefined
  const recorded = new Set([...record.callers.map(({ name }) => name), ...Object.keys(record.browser)])
  const endpoints = new Set<string>()
  const specs = collectSpecs(files, record)
  const present = new Set(tests)
  const units = new Map<string, Units>()
  const importers = listImporters(files, IMPORT)
  const laterImporters = listImporters(files, LATER_IMPORT)
  const started = listStarted(files)

  const moved = new Map(changes.map(({ oldPath, path }) => [oldPath, path]))
  const read = (path: string) => {
    const present = moved.get(path) ?? path
    const known = units.get(path) ?? parseUnits(present, files.get(present) ?? '')
    units.set(path, known)
    return known
  }
  const lookup = createLookup(record, files, (path) => read(path).functions.map(({ hash }) => hash))
  const add = (test: string, why: string) => {
    if (present.has(test) && !selected.has(test)) selected.set(test, why)
  }
  const addEndpoint = (name: string, why: string) => {
    if (endpoints.has(name)) return
    endpoints.add(name)
    specs.addEndpoint(name, why)
  }
  const addNumbers = (numbers: readonly number[], why: string) => {
    for (const number of numbers) {
      const { name } = record.callers[number]!
      if (name.startsWith(ENDPOINT)) addEndpoint(name.slice(ENDPOINT.length), why)
      else add(name, why)
    }
  }
  /** Adds the tests that called the handler of an endpoint, such as those of programs, whose requests are not recorded. */
  const addHandled = (endpoint: string, why: string) => {
    const number = record.callers.findIndex(({ name }) => name === `${ENDPOINT}${endpoint}`)
    for (const [path, callersOf] of Object.entries(record.functions)) {
      if (!path.endsWith('.handlers.ts')) continue
      for (const callers of Object.values(callersOf)) if (callers.includes(number)) addNumbers(callers, why)
    }
  }
  /** Adds the tests that called a function, or any of a file. */
  const addCallers = (path: string, hash: string | '*', why: string) => {
    for (const [name, numbers] of Object.entries(lookup.findCallers(path))) if (hash === '*' || name === hash) addNumbers(numbers, why)
  }
  /** Adds the tests that use a file in any way. */
  const addUsers = (path: string, why: string) => {
    if (isTestFile(path)) add(path, why)
    else addCallers(path, '*', why)
    if (isOfPage(path)) specs.addModule(path, why)
    if (isOfSpecs(path)) specs.addSupport(path, why)
  }
  const unknown = new Set<string>()
  /** For a file of which the record knows no call: adds the tests of its importers. */
  const addImporters = (path: string, why: string) => {
    if (unknown.has(path)) return
    unknown.add(path)
    for (const importer of importers.get(path) ?? []) {
      if (isTestFile(importer)) add(importer, why)
      else if (Object.values(lookup.findCallers(importer)).some((callers) => callers.length > 0)) addCallers(importer, '*', why)
      else addImporters(importer, why)
    }
  }
  /** Adds the tests that use what a function made while a server was built. Handlers do nothing before they are called. */
  const addStarted = (path: string, hash: string, why: string) => {
    if (!lookup.isStarting(path, hash)) return
    if (path.endsWith('.handlers.ts')) addCallers(path, '*', why)
    else {
      addCallers(SERVER.file, '*', `${why}, which ${SERVER.why}`)
      specs.addServer(`${why}, which ${SERVER.why}`)
    }
  }

  const seen = new Set<string>()
  /** Follows values that are made when a module is loaded to all code that reads them. */
  const followNames = (path: string, names: readonly string[], why: string) => {
    const fresh = names.filter((name) => !seen.has(`${path} ${name}`))
    if (fresh.length === 0) return
    for (const name of fresh) seen.add(`${path} ${name}`)
    if (isTestFile(path)) return add(path, why)
    const prefix = CONTRACT_TABLES.get(path)
    if (prefix !== undefined) {
      for (const [endpoint, numbers] of Object.entries(record.endpoints)) {
        if (!fresh.some((name) => endpoint.startsWith(`${prefix}${name}.`))) continue
        addEndpoint(endpoint, why)
        addNumbers(numbers, why)
        addHandled(endpoint, why)
      }
      return
    }
    const { functions, statements, hasMemory } = read(path)
    if (isOfSpecs(path)) specs.addSupport(path, why)
    for (const each of functions.filter((one) => hasAny(one.names, fresh))) {
      if (isOfPage(path)) specs.addModule(path, why)
      addCallers(path, each.hash, why)
      addStarted(path, each.hash, why)
      if (hasMemory) addCallers(path, '*', why)
      if (lookup.isLoading(path, each.hash)) followNames(path, statements[each.statement]!.declares, why)
    }
    for (const each of statements.filter((one) => hasAny(one.names, fresh))) {
      if (each.declares.length === 0 && isOfPage(path)) specs.addModule(path, why)
      followNames(path, each.declares, why)
    }
    for (const [importer, locals] of listLocals(path, fresh)) {
      if (locals === '*') addUsers(importer, why)
      else followNames(importer, locals, why)
    }
  }

  /** Names under which other files import these. */
  const listLocals = (path: string, names: readonly string[]) => {
    const present = moved.get(path) ?? path
    const later = [...(laterImporters.get(present) ?? [])].map((importer): [string, '*'] => [importer, '*'])
    const locals = [...(importers.get(present) ?? [])].map((importer): [string, string[]] => {
      const imports = read(importer).imports.filter(({ from }) => resolveImport(importer, from) === present)
      const list = imports.flatMap((one) =>
        one.names.flatMap(({ imported, local }) => {
          if (imported === '*') return local === '*' ? names : [local]
          return names.includes(imported) ? [local] : []
        }),
      )
      return [importer, list]
    })
    return [...later, ...locals]
  }

  const followed = new Set<FunctionUnit>()
  /** Selects the tests that called a function, and follows it to values that it makes when a module is loaded, or that are made once. */
  const followFunction = (path: string, unit: FunctionUnit, current: Units, why: string) => {
    if (followed.has(unit)) return
    followed.add(unit)
    addCallers(path, unit.hash, why)
    addStarted(path, unit.hash, why)
    const names = current.statements[unit.statement]?.declares ?? []
    const isLoading = lookup.isLoading(path, unit.hash)
    const users: [string, readonly string[]][] = [
      [path, names],
      ...listLocals(path, names).filter((each): each is [string, string[]] => each[1] !== '*'),
    ]
    for (const [user, locals] of users.filter(([, locals]) => locals.length > 0)) {
      if (isTestFile(user)) {
        add(user, why)
        continue
      }
      if (!files.has(user)) continue
      const { functions, statements, hasMemory } = read(user)
      for (const each of statements.filter((one) => hasAny(one.names, locals))) followNames(user, each.declares, why)
      for (const each of functions.filter((one) => hasAny(one.names, locals))) {
        if (hasMemory) addCallers(user, '*', why)
        if (isLoading && lookup.isLoading(user, each.hash)) followFunction(user, each, read(user), why)
      }
    }
  }

  const followCode = ({ path, oldPath, before, after }: Change) => {
    const old = before === undefined ? undefined : parseUnits(oldPath, before)
    const now = after === undefined ? undefined : parseUnits(path, after)
    const [oldFunctions, newFunctions] = [old?.functions ?? [], now?.functions ?? []]
    const goneFunctions = listGone(oldFunctions, newFunctions)
    const changedStatements = [
      ...listGone(old?.statements ?? [], now?.statements ?? []),
      ...listGone(now?.statements ?? [], old?.statements ?? []),
    ]
    const data = changedStatements.filter(({ isPlain }: StatementUnit) => !isPlain)
    if (goneFunctions.length === 0 && data.length === 0) return
    const known = lookup.findCallers(oldPath)
    const why = `${path} changed`
    if (isOfPage(path) && goneFunctions.length > 0) specs.addModule(path, why)
    if (isOfSpecs(path)) specs.addSupport(path, why)
    if (oldFunctions.length > 0 && Object.values(known).every((callers) => callers.length === 0)) addImporters(path, why)
    for (const unit of goneFunctions) {
      // Not called, or the record is of another version of the file.
      if (!known[unit.hash] && !lookup.isStarting(oldPath, unit.hash) && !lookup.isLoading(oldPath, unit.hash))
        addCallers(oldPath, '*', why)
      followFunction(oldPath, unit, old!, why)
    }
    const names = data.flatMap(({ declares }) => declares)
    if (data.some(({ declares }) => declares.length === 0)) {
      addCallers(oldPath, '*', why)
      if (isOfPage(path)) specs.addModule(path, why)
    }
    if (names.length > 0) for (const each of new Set([oldPath, path])) followNames(each, names, why)
    for (const [starter, reached] of started) {
      if (!reached.has(path)) continue
      if (isTestFile(starter)) add(starter, `${why}, which a program of this test loads`)
      else addCallers(starter, '*', `${why}, which is loaded in a thread or a program`)
    }
  }

  /** Files that are no code belong to the code that names them. */
  const followOther = ({ path, before, after }: Change) => {
    if (/^locales\/.*\/portal.*\.json$/.test(path)) return followWords(path, before, after)
    const isNamed = createNaming(path)
    const why = `${path} changed`
    if (path.startsWith('web/')) specs.addModule(path, why)
    for (const [file, text] of files) if (isCode(file) && isNamed(blankComments(text))) addUsers(file, why)
  }

  const addTests = (isWanted: (test: string) => boolean, why: string) => {
    for (const test of tests) if (isWanted(test)) add(test, why)
  }

  /** Builds of the portal and browser tests read these, and so do tests that name them. */
  const followBrowserConfig = (change: Change) => {
    addTests((test) => test.endsWith('.spec.ts') || (files.get(test) ?? '').includes('dist/'), `${change.path} changed`)
    followOther(change)
  }

  /** An endpoint concerns the tests that call it; the tests that import the table, or are helped by what does, read all of it. */
  const followContracts = (change: Change) => {
    const why = `${change.path} changed`
    followNames(change.path, listChangedContracts(change), why)
    for (const importer of importers.get(change.path) ?? []) {
      if (isTestFile(importer)) add(importer, why)
      else if (/(^|\/)test\/|^scripts\//.test(importer)) addUsers(importer, why)
    }
  }

  /** Words belong to the code that has their key, or the beginning of it; otherwise to all code with keys of their group. */
  const followWords = (path: string, before = '{}', after = '{}') => {
    const code = [...files].filter(([file]) => isCode(file))
    const listNaming = (...parts: string[]) => code.filter(([, text]) => parts.some((part) => text.includes(part)))
    for (const key of listChangedKeys(before, after)) {
      const segments = key.split('.')
      const begins = segments.slice(1).map((_, index) => `\`${segments.slice(0, index + 1).join('.')}.\${`)
      const naming = listNaming(`'${key}'`, ...begins)
      const why = `${path} changed ${key}`
      const users = (naming.length > 0 ? naming : listNaming(`'${segments[0]}.`)).map(([file]) => file)
      for (const file of users) {
        if (isTestFile(file)) add(file, why)
        else addCallers(file, '*', why)
      }
      specs.addWords(path, users, why)
    }
  }

  if (changes.length > 0)
    for (const [path, text] of files) if (isTestFile(path) && text.includes('readProjectFiles()')) add(path, 'reads all files')
  for (const test of tests) if (!recorded.has(test)) add(test, 'was never recorded')
  for (const change of changes) {
    const { path, before, after } = change
    const kind = kindOf(change)
    if (isTestFile(path)) add(path, before === undefined ? 'is new' : 'changed')
    else if (kind === 'all') everything ??= `${path} changed`
    else if (kind === 'migration') addTests((test) => test.startsWith('db/'), `${path} is new`)
    else if (kind === 'browser') followBrowserConfig(change)
    else if (kind === 'contracts') followContracts(change)
    else if (isCode(path)) followCode(change)
    else if (before !== after) followOther(change)
  }
  for (const [spec, why] of specs.selected) add(spec, why)
  return everything ? { tests: new Map(tests.map((test) => [test, everything])), everything } : { tests: selected }
}

const MOST_TESTS = 8

/** Says how many test files are run, and why each. */
export function describeSelection({ tests, everything }: Selection, total: number) {
  if (everything) return `All ${total} test files: ${everything}`
  const reasons = new Map<string, string[]>()
  for (const [test, why] of tests) reasons.set(why, [...(reasons.get(why) ?? []), test])
  const lines = [...reasons].map(([why, names]) => {
    const more = names.length > MOST_TESTS ? `, and ${names.length - MOST_TESTS} more` : ''
    return `  ${why}: ${names.slice(0, MOST_TESTS).join(', ')}${more}`
  })
  return [`${tests.size} of ${total} test files${lines.length > 0 ? ':' : ''}`, ...lines].join('\n')
}
