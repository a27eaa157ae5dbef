import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const SCRIPT = fileURLToPath(new URL('../../server/mock/panel/main.ts', import.meta.url))

/** `npm run dev` adds the developer panel from its source; the local stack adds its build to the pages that it serves. */
export const devPanel: Plugin = {
  name: 'developer-panel',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'script', attrs: { type: 'module', src: `/@fs/${SCRIPT.replace(/^\//, '')}` }, injectTo: 'head' }],
}
