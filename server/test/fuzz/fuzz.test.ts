import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorBody, type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { listErrorCodes, type Route } from '#contracts/lib/route.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints } from '#server/test/examples/all.ts'
import { exampleRequest, type FuzzRequest, fuzzRequests } from './test-requests.ts'
import { secretsOfOthers } from './test-secrets.ts'
import { type FuzzResponse, MAX_CPU_MS, startTarget } from './test-target.ts'

/** For a longer run, as each night: `FUZZ_RUNS=20000 FUZZ_SECONDS=600 FUZZ_SEED=7 npx vitest run server/test/fuzz`. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 15)
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 30)
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_302)

/** The user who signs in with the example of an endpoint, and whom its response describes. */
const SIGNS_IN: Record<string, string> = { 'factorSignIn.complete': 'newcomer', 'factorSignIn.passkey': 'newcomer' }

/** `as` is the only account whose data the response may contain; support may read everything. */
function expectSoundResponse(route: Route, as: string, { path, payload = '' }: FuzzRequest, { status, type, body, ms }: FuzzResponse) {
  expect(status, body.slice(0, 300)).toBeLessThan(500)
  expect(ms).toBeLessThan(MAX_CPU_MS)
  if (status >= 400) {
    expect(type).toBe('application/json; charset=utf-8')
    const { code } = ErrorBody.parse(JSON.parse(body))
    expect(listErrorCodes(route)).toContain(code)
    expect(errors[code as ErrorCode]).toBe(status)
  }
  const said = `${path} ${payload}`
  const secrets = as === 'support' ? [] : secretsOfOthers(getPersona(as).accountId)
  const leaked = secrets.filter((text) => body.includes(text) && !said.includes(text.replaceAll('"', '')))
  expect(leaked, body.slice(0, 300)).toEqual([])
}

let server: Awaited<ReturnType<typeof startTarget>>
beforeAll(async () => {
  server = await startTarget()
})
afterAll(() => server[Symbol.asyncDispose]())

test(`no request breaks an endpoint, keeps it busy or shows data of other accounts (seed ${SEED})`, {
  timeout: endpoints.length * (SECONDS + 30) * 1000,
}, async () => {
  const failures = await collectFailures(
    endpoints,
    ({ name }) => name,
    async (each) => {
      await server.renew(each)
      const take = async (shot: FuzzRequest) => {
        const hit = await server.shoot(each, shot)
        expectSoundResponse(each.route, shot.as ?? SIGNS_IN[each.name] ?? each.example.as ?? 'alice', shot, hit)
        const isServed = hit.status < 300
        if (isServed && each.route.safety === 'destructive' && (await server.isSignedOut(shot.as))) await server.renew(each)
        return isServed
      }
      expect(await take(exampleRequest(each)), 'the example is served').toBe(true)
      const report = await fc.check(
        fc.asyncProperty(fuzzRequests(each), async (shot) => void (await take(shot))),
        { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: SECONDS * 1000, endOnFailure: RUNS < 1000 },
      )
      // On a busy machine the time may be over before the first attempt; that is no failure, since the example was served.
      if (report.counterexample !== null) throw new Error(fc.defaultReportMessage(report))
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      const { raw } = server.world().db
      expect([raw.pragma('integrity_check', { simple: true }), raw.pragma('foreign_key_check')]).toEqual(['ok', []])
    },
  )
  expect(failures).toEqual([])
})
