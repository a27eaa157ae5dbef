import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import type inside from '#locales/en/portal-inside.json'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { getDemoWords } from './start-page.ts'
import { startDemo } from './test-demo.ts'

test('every persona on the start page has a working link, and the page has no script', async () => {
  await using demo = await startDemo()
  const page = await demo.ask('/demo')
  expect(page.headers['content-security-policy']).not.toContain('script-src')
  const links = [...page.text.matchAll(/href="(\/[^"]*[?;]demo=[^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'))
  expect(links.length).toBeGreaterThan(5)
  expect(links[0]).toBe(`/trackers/${SEED.devices.rex}?follow=1&demo=family&as=alice`)
  for (const link of links) {
    const { token, call } = await demo.visit(link)
    expect([(await call('/options/')).status, token.length], link).toEqual([200, 40])
  }
})

test('the start page and the demo bar are translated to every language', async () => {
  await using demo = await startDemo()
  expect(
    await collectFailures(LANGUAGES, String, async (language) => {
      const { text, headers } = await demo.ask('/demo', { headers: { 'accept-language': `${language},en;q=0.5` } })
      expect(text).toContain(`<html lang="${language}">`)
      expect(text).toContain(getDemoWords(language).start.title.replace("'", '&#39;'))
      expect(headers['cache-control']).toBe('no-store')
      expect((await demo.ask(`/demo/words/${language}.json`)).body).toEqual({ bar: getDemoWords(language).bar })
    }),
  ).toEqual([])
})

test('the help line about Rex names two buttons of his card as the portal does, in every language', async () => {
  expect(
    await collectFailures(LANGUAGES, String, (language) => {
      const { tracker } = JSON.parse(readFileSync(`locales/${language}/portal-inside.json`, 'utf8')) as typeof inside
      for (const word of [tracker.history, tracker.share]) expect(getDemoWords(language).bar.tour).toContain(word)
    }),
  ).toEqual([])
})

test('a visitor with a world can return to it and sees the remaining time', async () => {
  await using demo = await startDemo()
  const { call } = await demo.visit()
  expect((await demo.ask('/demo')).text).not.toContain('yours for')
  demo.wait(8 * 60_000)
  expect((await call('/demo')).text).toMatch(/Demo, yours for 1\sh 52\smin/)
})

test('the demo bar receives scenario, persona and expiry of the world, but not its id', async () => {
  await using demo = await startDemo()
  const bruno = await demo.visit('/?demo=family&as=bruno')
  const { body } = await bruno.call('/demo/world')
  expect(body).toMatchObject({ scenario: 'family', persona: 'bruno', now: '2026-03-02T09:00:00Z', ends_at: '2026-03-02T11:00:00Z' })
  expect(body.personas[0]).toEqual({ key: 'alice', name: 'Alice Almeida', email: 'alice@example.com' })
  expect(JSON.stringify(body)).not.toContain(bruno.world)
})

test('unknown translation files are answered with 404', async () => {
  await using demo = await startDemo()
  const rows = ['/demo/words/xx.json', '/demo/words/en', '/demo/words/..%2Fen.json']
  expect(
    await collectFailures(rows, String, async (url) => {
      expect((await demo.ask(url)).status).toBe(404)
    }),
  ).toEqual([])
})
