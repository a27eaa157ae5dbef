import { defineConfig } from 'vite'

/** `main.js` for production, `mock.js` for the local stack, `operator.js` for its prices, `backup.js` and `restore.js` for either; packages stay in node_modules. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        mock: 'server/mock/main.ts',
        backup: 'server/backup.ts',
        restore: 'server/restore.ts',
        operator: 'server/operator.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
})
