import { type Change, isOtherGround } from './compare-versions.ts'

/** What every test stands on, or what no record can see. */
const GROUND =
  /^(package(-lock)?\.json|\.npmrc|tsconfig.*\.json|(vitest|vite\.server)\.config\.ts|scripts\/test-setup\/|server\/mock\/(seed|city)\/)/
const MIGRATIONS = /^db\/(migrations|sqlite\/migrations|postgres\/migrations)\//
/** Read by builds of the portal and by browser tests only. */
const BROWSER_CONFIG = /^(vite(\.panel|\.bar)?|playwright)\.config\.ts$/

/** Tables of all contracts, with the beginning of the names of their endpoints. */
export const CONTRACT_TABLES = new Map([
  ['contracts/index.ts', ''],
  ['contracts/mock/index.ts', 'mock.'],
])

const ENTRY = /^ {2}(\w+)(?:: \w+)?,$/gm
const IMPORTED = /^import \{ ([^}]+) \} from '([^']+)'$/gm

/** The contracts that a table got, lost, or takes from another file. */
export function listChangedContracts({ before = '', after = '' }: Change) {
  const [old, now] = [before, after].map(readTable) as [Map<string, string>, Map<string, string>]
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name))
}

function hasOtherThanEntries({ before = '', after = '' }: Change) {
  const [old, now] = [before, after].map((text) => text.replace(ENTRY, '').replace(IMPORTED, '').replace(/\n+/g, '\n'))
  return old !== now
}

function readTable(text: string) {
  const sources = new Map(
    [...text.matchAll(IMPORTED)].flatMap(([, names, from]) => names!.split(', ').map((name) => [name, from!] as const)),
  )
  return new Map([...text.matchAll(ENTRY)].map(([, name]) => [name!, sources.get(name!) ?? ''] as const))
}

type Kind = 'all' | 'migration' | 'browser' | 'contracts' | 'code'

/** What a change concerns. A migration that was added changes no other; tests of the code that reads its tables are found by the schema. */
export function kindOf(change: Change): Kind {
  const { path, before } = change
  if (MIGRATIONS.test(path)) return before === undefined || hasOnlyMore(change) ? 'migration' : 'all'
  if (GROUND.test(path)) return isOtherGround(change) ? 'all' : 'code'
  if (BROWSER_CONFIG.test(path)) return isOtherGround(change) ? 'browser' : 'code'
  if (!CONTRACT_TABLES.has(path)) return 'code'
  return hasOtherThanEntries(change) ? 'all' : 'contracts'
}

/** Whether the journal of migrations got entries at its end. */
function hasOnlyMore({ path, before = '', after }: Change) {
  if (!path.endsWith('/_journal.json') || after === undefined) return false
  const [old, now]: { entries: unknown[] }[] = [JSON.parse(before), JSON.parse(after)]
  return JSON.stringify(now!.entries.slice(0, old!.entries.length)) === JSON.stringify(old!.entries)
}
