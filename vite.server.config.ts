import { defineConfig } from 'vite'
import { copyReferenceFiles, NATIVE_PACKAGES, withoutSecondDriver, writeServerFonts } from '#scripts/build/server-files.ts'

/**
 * `main.js` for production, `mock.js` for the local stack, `operator.js` for its prices, `backup.js` and `restore.js` for SQLite, `move.js`
 * from SQLite to PostgreSQL, `distribute.js` for a Citus cluster, `worker.js` for the threads of the first two. Packages are bundled, so that an installation needs only those
 * with native code.
 */
export default defineConfig({
  publicDir: false,
  plugins: [
    withoutSecondDriver,
    {
      name: 'files',
      closeBundle() {
        writeServerFonts('dist/server/fonts')
        copyReferenceFiles('dist/server/swagger-ui')
      },
    },
  ],
  ssr: { noExternal: true, external: NATIVE_PACKAGES },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        mock: 'server/mock/main.ts',
        backup: 'server/backup.ts',
        restore: 'server/restore.ts',
        operator: 'server/operator.ts',
        move: 'server/move.ts',
        distribute: 'server/distribute.ts',
        worker: 'server/worker/worker.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
})
