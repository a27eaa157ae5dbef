import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { APIRequestContext, Browser, BrowserContext, TestInfo, TestType } from '@playwright/test'

const { CALLS_DIR } = process.env

/** Requests of the test that runs, as `METHOD /path`. */
const seen = new Set<string>()

const record = (method: string, url: string) => void seen.add(`${method} ${new URL(url, 'http://portal.test').pathname}`)

/** Playwright sends all its requests without a page by `fetch`. */
const watchCalls = (calls: APIRequestContext) => {
  const send = calls.fetch.bind(calls)
  calls.fetch = (target, options) => {
    if (typeof target === 'string') record(options?.method ?? 'GET', target)
    else record(options?.method ?? target.method(), target.url())
    return send(target, options)
  }
}

const watch = (context: BrowserContext) => {
  context.on('request', (request) => record(request.method(), request.url()))
  watchCalls(context.request)
}

type Info = Pick<TestInfo, 'file' | 'testId' | 'status' | 'expectedStatus'>
type Used = { context: BrowserContext; request: APIRequestContext; browser: Browser }

/** Writes which requests a test sends, by its pages and by its own code. */
export const createRecording = (folder: string) => ({
  recorded: [
    async ({ context, request, browser }: Used, use: (nothing: undefined) => Promise<void>, info: Info) => {
      const [send, open] = [globalThis.fetch, browser.newContext.bind(browser)]
      seen.clear()
      watch(context)
      watchCalls(request)
      browser.newContext = async (...options) => {
        const other = await open(...options)
        watch(other)
        return other
      }
      globalThis.fetch = (input, init) => {
        if (input instanceof Request) record(init?.method ?? input.method, input.url)
        else record(init?.method ?? 'GET', String(input))
        return send(input, init)
      }
      await use(undefined)
      globalThis.fetch = send
      browser.newContext = open
      const spec = path.relative(process.cwd(), info.file).replaceAll(path.sep, '/')
      mkdirSync(folder, { recursive: true })
      const hasFailed = info.status !== info.expectedStatus
      writeFileSync(path.join(folder, `browser-${info.testId}.json`), JSON.stringify({ spec, hasFailed, requests: [...seen] }))
    },
    { auto: true },
  ] as const,
})

/** In a run that records, each test writes its requests. */
export const recordRequests = <T extends object, W extends object>(test: TestType<T, W>): TestType<T, W> =>
  CALLS_DIR ? (test.extend(createRecording(CALLS_DIR) as never) as never) : test
