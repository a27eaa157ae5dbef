import { fileURLToPath } from 'node:url'

type Graph = { getModuleInfo(id: string): { importedIds: string[] } | null }

/** Modules that each first page loads in addition to the entry. */
const PAGES = {
  login: ['sign-in/login-screen.tsx', 'layouts/auth-layout.tsx', 'lib/navigation/tabs.ts'],
  home: [
    'home/home-screen.tsx',
    'home/tracker-card.tsx',
    'home/map/map-extras.tsx',
    'layouts/navigation-layout.tsx',
    'lib/navigation/tabs.ts',
  ],
  history: ['history/history-screen.tsx', 'trackers/trace/read-trace.ts'],
}
type Page = keyof typeof PAGES
const modules = new Map<Page, Set<string>>()

/** Packages with a single index file; following its imports would include the whole package. */
const BARRELS = /node_modules\/(@mantine|@tabler|@floating-ui)\//

/** Whether a first page needs a module. Each page is one chunk instead of many small ones (docs/decisions/027-few-files.md). */
function isOnPage(page: Page, id: string, graph: Graph) {
  const known = modules.get(page) ?? findStaticImports(PAGES[page], graph)
  modules.set(page, known)
  return known.has(id) && !BARRELS.test(id)
}

function findStaticImports(files: readonly string[], graph: Graph) {
  const found = new Set<string>()
  const waiting = files.map((file) => fileURLToPath(new URL(`../../web/${file}`, import.meta.url)).replaceAll('\\', '/'))
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}

const groupOf = (page: Page) => ({
  name: (id: string, graph: Graph) => (isOnPage(page, id, graph) ? page : null),
  debugName: page,
})

/** For `codeSplitting.groups`. Modules that both pages need are in `login`, because a browser that signs in has already loaded it. */
export const firstPageGroups = [
  { name: 'start', tags: ['$initial' as const] },
  // The order matters: a group also captures what its modules import.
  groupOf('login'),
  groupOf('home'),
  // A day of positions is also opened from links and bookmarks, and needs no module of the home screen that the previous groups lack.
  groupOf('history'),
]
