import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstPageGroups } from '#scripts/build/first-pages.ts'
import { listModules } from '#scripts/build/list-modules.ts'
import { startScript } from '#scripts/build/start-script.ts'
import { chunkFiles, compileHint, devPanel, dropSummaries, themeStyles } from '#scripts/build/vite-plugins.ts'

/** `npm run dev` starts the server on `PORT` and the portal on `WEB_PORT`, so that several checkouts run side by side. */
const API = `http://127.0.0.1:${process.env.PORT || 8080}`

/** The paths of the API in development; every other path is a screen of the portal or a module of Vite. */
const PROXIED = [
  '^/(devices|users|api|api-auth|options|ingest|mock|stripe|docs|operator/api)(/|\\?|$)',
  '^/tracker_',
  '^/(config\\.json|healthz|readyz)(\\?|$)',
  '^/legal/texts/',
]

/** Files of the first pages. */
const FIRST = /\/(login|home)-/

/** The modules of every page; and locale files, whose lists would weigh on the first page. */
const UNLISTED = /\/(index|words-\w+|portal(-\w+)?)-[\w-]{7,8}\.js$/

/**
 * What every page may load after the first paint is few files, because the entry names each file, and hashes do not compress. The links
 * to the legal texts are apart, because visitors see them without the data of a user.
 */
const LATER = [
  { name: 'legal', test: /web.legal.(legal-links|legal\.module)/ },
  { name: 'notices', test: /web.notices./ },
]

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  base: '/',
  plugins: [react(), chunkFiles, dropSummaries, themeStyles, startScript, devPanel, compileHint, listModules('web', '/')],
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    license: { fileName: 'licenses.md' },
    sourcemap: false,
    // The check `budgets` limits what a page loads.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    // No data: URL: the content security policy allows files of our own origin only.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The additional files of a first page are loaded one by one, so that they don't compete with the page.
      resolveDependencies: (file, deps, { hostId }) =>
        [...new Set(FIRST.test(hostId) ? [file] : [...deps, file])].filter((needed) => !UNLISTED.test(needed)),
    },
    rolldownOptions: {
      output: {
        // The modules that every page starts with are one file; so are those with which nearly every screen reads its data, and icons that
        // many pages share: many small files compress worse.
        codeSplitting: {
          groups: [...firstPageGroups, ...LATER, { name: 'icons', test: /@tabler.icons-react/, minShareCount: 6 }],
        },
        // The lists of files that chunks need consist of names, and hashes don't compress.
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        chunkFileNames: ({ facadeModuleId }) => {
          const language = facadeModuleId?.match(/\/locales\/(\w+)\/portal\.json$/)?.[1]
          return language ? `assets/words-${language}-[hash:7].js` : 'assets/[name]-[hash:7].js'
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
