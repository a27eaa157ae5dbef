import type { Page } from '@playwright/test'
import { startDemoServer } from '#e2e/demo-server.ts'
import { expect, type TestWorld, test } from '#e2e/portal.ts'
import { collectProblems } from '#e2e/problems.ts'
import { startStaticHost } from '#e2e/static-host.ts'

/** Files that browsers, home screens and search engines request from every host. */
const FILES = {
  '/favicon.ico': /^image\/(vnd\.microsoft\.icon|x-icon)$/,
  '/apple-touch-icon.png': /^image\/png$/,
  '/robots.txt': /^text\/plain/,
}

/** By IP address and host header, because the test process may be unable to resolve the host names of worlds. */
async function expectFiles(request: Page['request'], origin: string, headers: Record<string, string> = {}) {
  for (const [path, type] of Object.entries(FILES)) {
    const answer = await request.get(`${origin}${path}`, { headers })
    expect([answer.status(), answer.headers()['content-type']], `${path} of ${origin}`).toEqual([200, expect.stringMatching(type)])
    expect((await answer.body()).length, `${path} of ${origin}`).toBeGreaterThan(20)
  }
}

test('the portal, a world, an ended world, a demo and a static host have icons and a robots.txt', async ({ request, world, server }) => {
  await expectFiles(request, server)
  await expectFiles(request, server, { 'x-world': world.id })
  await expectFiles(request, server, { host: `w-ended.localhost:${new URL(server).port}` })
  await using host = await startStaticHost({ apiBaseUrl: server })
  await expectFiles(request, host.origin)
  const demo = await startDemoServer()
  await expectFiles(request, demo.origin).finally(demo.stop)
})

const openCheckout = async ({ open, page }: Visit) => {
  await open('/subscription?devices=2.eur-12m-once', 'alice')
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await page.waitForURL(/\/mock\/stripe\/checkout\//)
}

const openCardPage = async ({ page, world }: Visit) => {
  const { url } = await world.api('bruno').subscriptions.billingPortal({ body: { return_path: '/payment_methods' } })
  await page.goto(url)
}

type Visit = { page: Page; world: TestWorld; open(path: string, persona?: string): Promise<void> }

/** Every kind of page that the server renders; `fails` for one that is an error page itself. */
const PAGES: Record<string, { show: (visit: Visit) => Promise<unknown>; fails?: true }> = {
  'the login page': { show: ({ open }) => open('/login') },
  'a page that does not exist': { show: ({ open }) => open('/nowhere'), fails: true },
  'the mailbox': { show: ({ page, world }) => page.goto(`${world.origin}/mock/mailbox`) },
  'the API reference': { show: ({ page, world }) => page.goto(`${world.origin}/docs/`) },
  'the reference of the control plane': { show: ({ page, world }) => page.goto(`${world.origin}/mock/docs/`) },
  'the checkout page': { show: openCheckout },
  'the page where cards are managed': { show: openCardPage },
  'an answer of the API': { show: ({ page, world }) => page.goto(`${world.origin}/healthz`) },
}

test('no page makes a browser request a missing file', async ({ page, world, open }) => {
  const takeProblems = collectProblems(page)
  const problems: Record<string, string[]> = {}
  for (const [name, { show, fails }] of Object.entries(PAGES)) {
    await show({ page, world, open })
    await page.waitForLoadState('networkidle')
    const found = takeProblems().filter((problem) => /^(\d{3}|unanswered:) /.test(problem))
    if (!fails && found.length > 0) problems[name] = found
  }
  expect(problems).toEqual({})
})
