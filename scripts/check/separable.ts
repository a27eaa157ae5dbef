import { isTest } from './files.ts'

/**
 * A part of the repository that could become a package of its own: its files import packages, each other and its port, and the rest of the
 * repository imports its entries only.
 */
type Part = { folder: string; entries: readonly string[] }

const PARTS: readonly Part[] = [
  { folder: 'server/mock/stripe/', entries: ['index.ts'] },
  { folder: 'server/mock/city/', entries: ['index.ts', 'build/build-city.ts', 'testing.ts'] },
  { folder: 'scripts/contracts/', entries: ['index.ts', 'levels/portal-visit.ts'] },
  { folder: 'scripts/har/', entries: ['index.ts'] },
]

const getPort = ({ folder }: Part) => `${folder}port.ts`
const listEntries = ({ folder, entries }: Part) => entries.map((name) => folder + name)

const IN_REPOSITORY = /^(contracts|db|server|web|locales|scripts|e2e|examples|docs)\//

/** Whether a file is the port or an entry of a separable part. It counts as a folder of its own, as it would be outside of the part. */
export const isBoundary = (path: string) => PARTS.some((part) => path === getPort(part) || listEntries(part).includes(path))

/** Why an import goes around the port or the entries of a separable part. The tests of a part may import everything. */
export function findBoundaryProblem({ from, to }: { from: string; to: string }): string | undefined {
  if (isTest(from) && PARTS.some(({ folder }) => from.startsWith(folder))) return undefined
  for (const part of PARTS) {
    const isFromInside = from.startsWith(part.folder)
    const isToInside = to.startsWith(part.folder)
    if (!isFromInside && isToInside && !listEntries(part).includes(to))
      return `${part.folder} is separable: import it through ${listEntries(part).join(' or ')}`
    if (isFromInside && !isToInside && IN_REPOSITORY.test(to) && from !== getPort(part))
      return `${part.folder} is separable: export from ${getPort(part)} what it takes from the repository`
  }
  return undefined
}
