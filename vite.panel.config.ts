import { defineConfig } from 'vite'
import { listModules } from '#scripts/build/list-modules.ts'

/** The developer panel: a script that the local stack injects into the portal's page, and what it loads once it is opened. */
export default defineConfig({
  base: './',
  publicDir: false,
  plugins: [listModules('panel', '/mock/panel/')],
  build: {
    outDir: 'dist/panel',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: {
      input: { panel: 'server/mock/panel/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
