import { defineConfig } from 'vite'
import { listModules } from '#scripts/build/list-modules.ts'

/** The demo bar: one script without a framework, which the demo injects into the portal's page. */
export default defineConfig({
  publicDir: false,
  plugins: [listModules('bar', '/demo/')],
  build: {
    outDir: 'dist/demo',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: { input: { bar: 'server/mock/demo/bar/main.ts' }, output: { entryFileNames: '[name].js' } },
  },
})
