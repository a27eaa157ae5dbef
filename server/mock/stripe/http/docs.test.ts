import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { formatEventTable } from '#server/mock/stripe/api/event-types.ts'
import { TEST_CARD_NAMES } from '#server/mock/stripe/payments/payment-methods.ts'
import { stripeEndpoints } from '#server/mock/stripe/stripe-fetch.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { listBlocks, splitCommand } from '#server/test/test-guide.ts'
import { formatEndpointTable } from './stripe-routes.ts'
import { createStripeServer } from './stripe-server.ts'

const GUIDE = 'docs/stripe.md'
const guide = readFileSync(GUIDE, 'utf8')

test('the table in docs/stripe.md lists the endpoints of the fake; npx whereabouts stripe --calls prints it', () => {
  expect(guide).toContain(`\n${formatEndpointTable(stripeEndpoints)}\n`)
})

test('the table in docs/stripe.md lists the events that the fake sends', () => {
  expect(guide).toContain(`\n${formatEventTable()}\n`)
})

test('docs/stripe.md names exactly the test cards that the fake knows', async () => {
  const names = [...guide.matchAll(/`(pm_card_\w+)`/g)].map(([, name]) => name!)
  const documented = names.map((name) => name.replace(/^pm_card_(visa_(?=charge))?/, ''))
  expect([...new Set(documented)].sort()).toEqual(Object.keys(TEST_CARD_NAMES).sort())
  const { app } = createStripeServer({ origin: 'http://stripe.test' })
  const headers = { authorization: 'Bearer sk_test_1', 'content-type': 'application/x-www-form-urlencoded' }
  for (const name of names) {
    const payload = `type=card&card[token]=${name}`
    expect((await app.inject({ method: 'POST', url: '/v1/payment_methods', headers, payload })).statusCode, name).toBe(200)
  }
})

test('the program in docs/stripe.md prints what is written below it', async () => {
  const { app } = createStripeServer({ origin: 'http://stripe.test' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const [program, output] = ['js', 'txt'].map((wanted) => listBlocks(GUIDE).find(({ language }) => language === wanted)!.text)
  const folder = `.cache/stripe-guide-${process.pid}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/program.mjs`, program!.replace('12111', String(port)))
  const { stdout } = await promisify(execFile)(process.execPath, [`${folder}/program.mjs`])
  rmSync(folder, { recursive: true })
  await app.close()
  expect(stdout.trim()).toBe(output)
})

test('the request in docs/stripe.md finds a customer of the main world', async () => {
  await using portal = await startPortal()
  const line = listBlocks(GUIDE).find(({ text }) => text.includes('sk_test_w_main'))!.text
  const [, , url = '', , user = '', , , query = ''] = splitCommand(line.replace("query='", "'query="))
  const answer = await portal.app.inject({
    url: url.replace('localhost:8080', ''),
    query: { query: query.replace(/^query=/, '') },
    headers: { authorization: `Basic ${btoa(user)}`, host: 'localhost:8080' },
  })
  expect(answer.json()).toMatchObject({ object: 'search_result', data: [{ email: 'alice@example.com' }] })
})
