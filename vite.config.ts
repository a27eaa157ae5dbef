import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { devPanel } from '#scripts/build/dev-panel.ts'
import { firstPageGroups } from '#scripts/build/first-pages.ts'
import { startScript } from '#scripts/build/start-script.ts'
import { themeStyles } from '#scripts/build/theme-styles.ts'

/** `npm run dev` starts the server on `PORT` and the portal on `WEB_PORT`, so that several checkouts run side by side. */
const API = `http://127.0.0.1:${process.env.PORT || 8080}`

/** What the API answers in development; every other path is a screen of the portal or a module of Vite (requirements C-20). */
const PROXIED = [
  '^/(devices|users|api|api-auth|options|ingest|mock|stripe|docs)(/|\\?|$)',
  '^/tracker_',
  '^/(config\\.json|healthz|readyz)(\\?|$)',
]

/** Files of the first pages. */
const FIRST = /\/(login|home)-/

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  base: '/',
  plugins: [react(), themeStyles, startScript, devPanel],
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
          groups: [...firstPageGroups, { name: 'icons', test: /@tabler.icons-react/, minShareCount: 6 }],
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
    port: Number(process.env.WEB_PORT || 5173),
    strictPort: true,
    fs: { allow: [fileURLToPath(new URL('.', import.meta.url))] },
    proxy: Object.fromEntries(PROXIED.map((prefix) => [prefix, { target: API, changeOrigin: false }])),
  },
})
