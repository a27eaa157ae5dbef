import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const API = 'http://127.0.0.1:8080'

/** What the API answers in development; every other path is a screen of the portal or a module of Vite (requirements C-20). */
const PROXIED = [
  '^/(devices|users|api|api-auth|options|ingest|mock|stripe|docs)(/|\\?|$)',
  '^/tracker_',
  '^/(config\\.json|healthz|readyz)(\\?|$)',
]

/** Files of the first pages. */
const FIRST = /\/(login|home)-/

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
}
const modules = new Map<keyof typeof PAGES, Set<string>>()

/** Packages with a single index file; following its imports would include the whole package. */
const BARRELS = /node_modules\/(@mantine|@tabler|@floating-ui)\//

/** Whether a first page needs a module. Each page is one chunk instead of many small ones (docs/decisions/027-few-files.md). */
function isOnPage(page: keyof typeof PAGES, id: string, graph: Graph) {
  const known = modules.get(page) ?? findStaticImports(PAGES[page], graph)
  modules.set(page, known)
  return known.has(id) && !BARRELS.test(id)
}

function findStaticImports(files: readonly string[], graph: Graph) {
  const found = new Set<string>()
  const waiting = files.map((file) => fileURLToPath(new URL(`web/${file}`, import.meta.url)).replaceAll('\\', '/'))
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}

/** Both first pages need these chunks, so the browser fetches them in parallel with the entry. */
const preloadShared: Plugin = {
  name: 'preload-shared',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.values(bundle)
        .filter(({ type, name }) => type === 'chunk' && (name === 'shared' || name === 'login'))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
          injectTo: 'head',
        })),
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  base: '/',
  plugins: [react(), preloadShared],
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    license: { fileName: 'licenses.md' },
    sourcemap: false,
    // No data: URL: the content security policy allows files of our own origin only.
    assetsInlineLimit: 0,
    // Only what a stranger and an owner see first is fetched side by side: the list of all the rest would weigh on the first page.
    modulePreload: { polyfill: false, resolveDependencies: (file, deps) => (FIRST.test(file) ? deps : []) },
    rolldownOptions: {
      output: {
        // What every page starts with is one file, and so are what nearly every screen reads its data with and icons that many pages share:
        // many small files compress worse.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'] },
            // The order matters: a group also captures what its modules import.
            { name: (id, graph) => (isOnPage('login', id, graph) && isOnPage('home', id, graph) ? 'shared' : null) },
            { name: (id, graph) => (isOnPage('login', id, graph) ? 'login' : null) },
            { name: (id, graph) => (isOnPage('home', id, graph) ? 'home' : null) },
            { name: 'icons', test: /@tabler.icons-react/, minShareCount: 6 },
          ],
        },
        chunkFileNames: ({ facadeModuleId }) => {
          const language = facadeModuleId?.match(/\/locales\/(\w+)\/portal\.json$/)?.[1]
          return language ? `assets/words-${language}-[hash].js` : 'assets/[name]-[hash].js'
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    fs: { allow: [fileURLToPath(new URL('.', import.meta.url))] },
    proxy: Object.fromEntries(PROXIED.map((prefix) => [prefix, { target: API, changeOrigin: false }])),
  },
})
