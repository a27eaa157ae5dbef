import { render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Config } from '#web/lib/config.ts'
import { CONFIG, renderAt } from '#web/test/render-at.tsx'
import { startApp } from './app.tsx'

const HEADING = 'The portal is not set up correctly'
const problem = () => screen.findByRole('alert')

describe('invalid config.json', () => {
  const { tiles } = CONFIG
  test.each<[string, unknown, string]>([
    ['an API base without its scheme', { apiBaseUrl: 'api.example.com' }, 'apiBaseUrl has a value that cannot be used'],
    ['an API base of another scheme', { apiBaseUrl: 'ftp://api.example.com' }, 'apiBaseUrl has a value that cannot be used'],
    ['an API base that is a number', { apiBaseUrl: 5 }, 'apiBaseUrl has a value that cannot be used'],
    ['an empty product name', { productName: '' }, 'productName has a value that cannot be used'],
    ['a support address without @', { supportEmail: 'support' }, 'supportEmail has a value that cannot be used'],
    ['no tiles', { tiles: undefined }, 'tiles is missing'],
    ['tiles without an address', { tiles: { ...tiles, url: undefined } }, 'tiles.url is missing'],
    ['tiles without a credit', { tiles: { ...tiles, attribution: undefined } }, 'tiles.attribution is missing'],
    ['a zoom that is no whole number', { tiles: { ...tiles, maxZoom: 4.5 } }, 'tiles.maxZoom has a value that cannot be used'],
    ['a zoom beyond all maps', { tiles: { ...tiles, maxZoom: 99 } }, 'tiles.maxZoom has a value that cannot be used'],
    ['a build that is a number', { build: 7 }, 'build has a value that cannot be used'],
    ['a demonstration without accounts', { demo: { password: 'x' } }, 'demo.accounts is missing'],
  ])('the page names the field and the reason for %s', async (_, config, words) => {
    const { calls } = await renderAt('/trackers', { config: config as Partial<Config>, token: 'abc' })
    expect(await problem()).toHaveTextContent(words)
    expect(screen.getByRole('heading', { level: 1, name: HEADING })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
    expect(document.title).toBe(HEADING)
    expect(calls).toEqual([])
  })
})

describe('unreadable config.json', () => {
  test.each<[string, () => Promise<Response>]>([
    ['is missing', async () => new Response('', { status: 404 })],
    ['is the page itself, as static hosts answer', async () => new Response('<!doctype html><title>x</title>')],
    ['is cut short', async () => new Response('{"productName":')],
    ['is empty', async () => new Response('')],
    ['does not come', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['comes with an error', async () => Response.json(CONFIG, { status: 500 })],
  ])('the page says that the file could not be read when it %s', async (_, fetch) => {
    Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true })
    render(await startApp(fetch))
    expect(await problem()).toHaveTextContent('The file could not be read')
    expect(screen.queryByRole('heading', { name: 'Sign in' })).toBeNull()
  })
})

describe('valid config.json', () => {
  test.each<[string, unknown]>([
    ['nothing but tiles', { apiBaseUrl: undefined, productName: undefined, supportEmail: undefined, build: undefined }],
    ['an API on another host', { apiBaseUrl: 'https://api.example.com/v2' }],
    ['fields of a later version', { colour: 'blue' }],
  ])('the portal starts with %s', async (_, config) => {
    await renderAt('/login', { config: config as Partial<Config> })
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
  })
})

test.each(['fr', 'de', 'ja'])('the page is in the language of the browser: %s', async (language) => {
  await renderAt('/', { config: { tiles: undefined }, languages: [language] })
  const { config } = (await import(`../../locales/${language}/portal.json`)).default
  expect(await screen.findByRole('heading', { name: config.heading })).toBeVisible()
  expect(await problem()).toHaveTextContent(`tiles ${config.missing}`)
})
