import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContext, TestInfo } from '@playwright/test'

/** Requests of the test that runs, as `METHOD /path`. */
const seen = new Set<string>()

const record = (method: string, url: string) => void seen.add(`${method} ${new URL(url, 'http://portal.test').pathname}`)

const watch = (context: BrowserContext) => context.on('request', (request) => record(request.method(), request.url()))

/** In a run that records: writes which requests each test sends, by its pages and by its own code. */
export const recordRequests = (folder: string) => ({
  recorded: [
    async (
      { context, browser }: { context: BrowserContext; browser: Browser },
      use: (nothing: undefined) => Promise<void>,
      { file, testId }: TestInfo,
    ) => {
      const [send, open] = [globalThis.fetch, browser.newContext.bind(browser)]
      seen.clear()
      watch(context)
      browser.newContext = async (...options) => {
        const other = await open(...options)
        watch(other)
        return other
      }
      globalThis.fetch = (input, init) => {
        record(init?.method ?? 'GET', input instanceof Request ? input.url : String(input))
        return send(input, init)
      }
      await use(undefined)
      globalThis.fetch = send
      browser.newContext = open
      const spec = path.relative(process.cwd(), file).replaceAll(path.sep, '/')
      mkdirSync(folder, { recursive: true })
      writeFileSync(path.join(folder, `browser-${testId}.json`), JSON.stringify({ spec, requests: [...seen] }))
    },
    { auto: true },
  ] as const,
})
