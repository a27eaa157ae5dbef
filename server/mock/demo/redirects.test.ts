import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { encodings, HOSTILE, staysHere } from '#server/test/sweeps/hostile-targets.ts'
import { startDemo } from './test-demo.ts'

const DEMO = 'http://demo.test'

test('the link of a shared copy of the demo leads to no other site', async () => {
  await using demo = await startDemo()
  const { call } = await demo.visit()
  const { pathname } = new URL((await call('/demo/share', { method: 'POST' })).body.url)
  const from = (nth: number) => `198.51.${nth}.1`
  expect(
    await collectFailures([...encodings.entries()], String, async ([nth, to]) => {
      const { status, headers } = await demo.ask(`${pathname}?as=alice&to=${to}`, { ip: from(nth) })
      expect([status, staysHere(headers.location, DEMO)], String(headers.location)).toEqual([302, true])
    }),
  ).toEqual([])
})

test('the entrance to the demo on any page leads to no other site, whatever the page', async () => {
  await using demo = await startDemo()
  const { cookie } = await demo.visit()
  await demo.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = demo.app.server.address() as AddressInfo
  // An HTTP client would resolve the dots and slashes of a complete URL.
  const visit = (path: string) =>
    new Promise<{ status: number | undefined; location: unknown }>((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path, headers: { host: 'demo.test', cookie } }, (response) => {
        response.resume()
        resolve({ status: response.statusCode, location: response.headers.location })
      })
      asked.on('error', reject).end()
    })
  const pages = [...HOSTILE.filter((target) => /^\/[!-~]*$/.test(target)), ...encodings.map((to) => `/${to}`)]
  let redirects = 0
  expect(
    await collectFailures(pages, String, async (page) => {
      for (const query of ['demo=family&as=alice', 'demo=family&as=alice&to=//evil.example', 'demo=//evil.example']) {
        const { location } = await visit(`${page}?${query}`)
        if (location === undefined) continue
        redirects++
        expect(staysHere(location, DEMO), String(location)).toBe(true)
      }
    }),
  ).toEqual([])
  expect(redirects).toBeGreaterThan(100)
})
