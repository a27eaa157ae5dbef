import { expect, type Page } from '@playwright/test'

/** Collects console messages and failed requests; the returned function returns those since its last call. */
export function watch(page: Page) {
  let heard: string[] = []
  page.on('console', (message) => {
    const isOurs = !message.text().includes('blocked by Playwright')
    if (isOurs && (message.type() === 'error' || message.type() === 'warning')) heard.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => heard.push(`thrown: ${error.message}`))
  page.on('response', (answer) => {
    if (answer.status() >= 400) heard.push(`${answer.status()} ${new URL(answer.url()).pathname}`)
  })
  page.on('requestfailed', (request) => {
    // Requests of a page that is being left are aborted.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') heard.push(`unanswered: ${new URL(request.url()).pathname}`)
  })
  return () => {
    const said = heard
    heard = []
    return said
  }
}

/** Returns a check that fails if the page has sent a request to another host. */
export function forbidOtherHosts(page: Page, origin: string) {
  const asked: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) asked.push(request.url())
  })
  return () => expect(asked).toEqual([])
}
