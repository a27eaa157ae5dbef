import { cleanup, render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import type { Config } from '#web/lib/config.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { CONFIG } from '#web/test/sample-config.ts'
import { startApp } from './app.tsx'

const HEADING = 'The portal is not set up correctly'
const problem = () => screen.findByRole('alert')

describe('invalid config.json', () => {
  const { tiles } = CONFIG
  test('an invalid field is shown with its reason, and nothing is requested', async () => {
    expect(
      await collectFailures<[string, unknown, string]>(
        [
          ['an API base without its scheme', { apiBaseUrl: 'api.example.com' }, 'apiBaseUrl has a value that cannot be used'],
          ['an API base of another scheme', { apiBaseUrl: 'ftp://api.example.com' }, 'apiBaseUrl has a value that cannot be used'],
          ['an API base that is a number', { apiBaseUrl: 5 }, 'apiBaseUrl has a value that cannot be used'],
          ['an empty product name', { productName: '' }, 'productName has a value that cannot be used'],
          ['a support e-mail address without @', { supportEmail: 'support' }, 'supportEmail has a value that cannot be used'],
          ['no tiles', { tiles: undefined }, 'tiles is missing'],
          ['tiles without an address', { tiles: { ...tiles, url: undefined } }, 'tiles.url is missing'],
          ['tiles without attribution', { tiles: { ...tiles, attribution: undefined } }, 'tiles.attribution is missing'],
          ['a fractional zoom', { tiles: { ...tiles, maxZoom: 4.5 } }, 'tiles.maxZoom has a value that cannot be used'],
          ['a zoom that is too high', { tiles: { ...tiles, maxZoom: 99 } }, 'tiles.maxZoom has a value that cannot be used'],
          ['a build that is a number', { build: 7 }, 'build has a value that cannot be used'],
          ['a demo without accounts', { demo: { password: 'x' } }, 'demo.accounts is missing'],
        ],
        ([name]) => name,
        async ([, config, words]) => {
          cleanup()
          const { calls } = await renderAt('/trackers', { config: config as Partial<Config>, token: 'abc' })
          expect(await problem()).toHaveTextContent(words)
          expect(screen.getByRole('heading', { level: 1, name: HEADING })).toBeVisible()
          expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
          expect(document.title).toBe(HEADING)
          expect(calls).toEqual([])
        },
      ),
    ).toEqual([])
  })
})

describe('unreadable config.json', () => {
  test('a config.json that cannot be read is reported', async () => {
    expect(
      await collectFailures<[string, () => Promise<Response>]>(
        [
          ['is missing', async () => new Response('', { status: 404 })],
          ['is the portal page, as static hosts respond for missing files', async () => new Response('<!doctype html><title>x</title>')],
          ['is cut short', async () => new Response('{"productName":')],
          ['is empty', async () => new Response('')],
          ['gets no response', () => Promise.reject(new TypeError('Failed to fetch'))],
          ['has status 500', async () => Response.json(CONFIG, { status: 500 })],
        ],
        ([name]) => name,
        async ([, fetch]) => {
          cleanup()
          Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true })
          render(await startApp(fetch))
          expect(await problem()).toHaveTextContent('The file could not be read')
          expect(screen.queryByRole('heading', { name: 'Sign in' })).toBeNull()
        },
      ),
    ).toEqual([])
  })
})

describe('valid config.json', () => {
  test('a valid configuration starts the portal', async () => {
    expect(
      await collectFailures<[string, unknown]>(
        [
          ['nothing but tiles', { apiBaseUrl: undefined, productName: undefined, supportEmail: undefined, build: undefined }],
          ['an API on another host', { apiBaseUrl: 'https://api.example.com/v2' }],
          ['fields of a later version', { colour: 'blue' }],
        ],
        ([name]) => name,
        async ([, config]) => {
          cleanup()
          await renderAt('/login', { config: config as Partial<Config> })
          expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
        },
      ),
    ).toEqual([])
  })
})

test.each(['fr', 'de', 'ja'])('the page is in the language of the browser: %s', async (language) => {
  await renderAt('/', { config: { tiles: undefined }, languages: [language] })
  const { config } = (await import(`../../locales/${language}/portal.json`)).default
  expect(await screen.findByRole('heading', { name: config.heading })).toBeVisible()
  expect(await problem()).toHaveTextContent(`tiles ${config.missing}`)
})
