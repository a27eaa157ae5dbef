import { expect, type Page } from '@playwright/test'

/** Collects console messages and failed requests; the returned function returns those since its last call. */
export function collectProblems(page: Page) {
  let problems: string[] = []
  page.on('console', (message) => {
    const isOurs = !message.text().includes('blocked by Playwright')
    if (isOurs && (message.type() === 'error' || message.type() === 'warning')) problems.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`))
  page.on('response', (answer) => {
    if (answer.status() >= 400) problems.push(`${answer.status()} ${new URL(answer.url()).pathname}`)
  })
  page.on('requestfailed', (request) => {
    // Leaving a page aborts its requests.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`unanswered: ${new URL(request.url()).pathname}`)
  })
  return () => {
    const collected = problems
    problems = []
    return collected
  }
}

/** Returns a check that fails if the page has sent a request to another host. */
export function forbidOtherHosts(page: Page, origin: string) {
  const foreignUrls: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) foreignUrls.push(request.url())
  })
  return () => expect(foreignUrls).toEqual([])
}

/** Collects the violations of the content security policy. */
export async function collectRefusals(page: Page) {
  const refusals: string[] = []
  await page.exposeFunction('reportRefusal', (refusal: string) => refusals.push(refusal))
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      const report = Reflect.get(window, 'reportRefusal') as (refusal: string) => void
      report(`${location.pathname}: ${effectiveDirective} ${blockedURI} ${sourceFile}`)
    }),
  )
  return refusals
}

/** Swagger UI tries to add a style element, which the policy blocks without visible effect. */
export const isOfPage = (refusal: string) => !refusal.includes('style-src-elem inline')
