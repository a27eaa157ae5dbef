import { expect, type Page } from '@playwright/test'

/** What the browser complained of, and calls that failed, since it was last asked. */
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
    // A page that is left drops what it was waiting for.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') heard.push(`unanswered: ${new URL(request.url()).pathname}`)
  })
  return () => {
    const said = heard
    heard = []
    return said
  }
}

/** Fails the test when the page asks another host for anything. */
export function forbidOtherHosts(page: Page, origin: string) {
  const asked: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) asked.push(request.url())
  })
  return () => expect(asked).toEqual([])
}
