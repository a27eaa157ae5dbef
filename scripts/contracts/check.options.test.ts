import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCheck } from './check.ts'
import { ALICE, checkBackend, createTempFolder, createTestIo, formatFindings, startListeningPortal } from './test-io.ts'

test('without a signed-in user only public checks run, and the rest counts as not checked', async () => {
  await using portal = await startListeningPortal()
  const { code, report } = await checkBackend(['--base', `${portal.base}/`, '--only', 'places.*'])
  expect([code, report.clean, report.unchecked]).toEqual([2, true, ['places.list', 'places.get']])
  const { io, printed } = createTestIo()
  expect(await runCheck(['--base', portal.base, '--only', 'places.*', '--max-rps', '100000'], io)).toBe(2)
  expect(printed.out).toContain('Not checked, because no user is signed in: 2 calls (places.list, places.get).')
  expect(report.results.map(({ verdict, name, title, note }) => [verdict, name, title, note].join(' '))).toEqual([
    'skipped places.list  no user is signed in',
    'skipped places.get  no user is signed in',
    'pass places.list no token 401 GET /tracker_places/',
    'pass places.get no token 401 GET /tracker_places/:id/',
  ])
})

test('--token replaces a password, and a reset connection is reported as unreachable', async () => {
  await using portal = await startListeningPortal()
  const token = await portal.token('alice@example.com')
  await portal.call(null, 'POST', '/mock/faults', { match: { route: 'tags.list' }, effect: 'reset' })
  const { code, report } = await checkBackend(['--base', portal.base, '--token', token, '--only', '/tracker_tags/*'])
  expect([code, report.counts.unreachable]).toEqual([1, 2])
  expect(formatFindings(report)).toEqual(['unreachable reads tags.list', 'unreachable errors tags.list'])
})

test('the next run cleans up what an aborted run left behind', async () => {
  await using portal = await startListeningPortal()
  using files = createTempFolder()
  const flags = ['--base', portal.base, ...ALICE, '--max-rps', '100000', '--clean-up', files.at('clean-up.json')]
  const names = async () => (await portal.call('alice@example.com', 'GET', '/tracker_tags/')).body.map(({ name }: { name: string }) => name)
  const before = await names()

  const { io } = createTestIo()
  let isCut = false
  const cut: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    isCut = init?.method === 'POST' && String(input).endsWith('/tracker_tags/')
    return answer
  }
  const now = () => {
    if (isCut) throw new Error('cut off')
    return portal.clock.now()
  }
  await expect(runCheck([...flags, '--write', '--only', 'tags.*'], { ...io, fetch: cut, now })).rejects.toThrow('cut off')
  expect(await names()).toHaveLength(before.length + 1)

  expect(await runCheck([...flags, '--only', 'users.settings'], io)).toBe(0)
  expect(await names()).toEqual(before)
  expect(JSON.parse(readFileSync(files.at('clean-up.json'), 'utf8'))).toEqual([])
})

test('an object that could not be removed is reported and stays in the clean-up file', async () => {
  await using portal = await startListeningPortal()
  await portal.call(null, 'POST', '/mock/faults', { match: { route: 'contacts.remove' }, effect: 'status', status: 503 })
  using files = createTempFolder()
  const { io, printed } = createTestIo()
  const flags = ['--base', portal.base, ...ALICE, '--max-rps', '100000', '--clean-up', files.at('clean-up.json'), '--only', 'contacts.*']
  expect(await runCheck([...flags, '--write'], io)).toBe(1)
  expect(printed.out).toContain('contacts.remove 503 unavailable instead of a success')
  expect(JSON.parse(readFileSync(files.at('clean-up.json'), 'utf8'))).toMatchObject([{ base: portal.base, kind: 'contacts' }])
  expect(await runCheck(flags, io)).toBe(1)
  expect(printed.out).toContain('is left behind; the next run tries again')
})

test("an object stays in the clean-up file while its list can't be read", async () => {
  await using portal = await startListeningPortal()
  const { body: fault } = await portal.call(null, 'POST', '/mock/faults', {
    match: { route: 'contacts.list' },
    effect: 'status',
    status: 503,
  })
  using files = createTempFolder()
  const { io } = createTestIo()
  const flags = ['--base', portal.base, ...ALICE, '--max-rps', '100000', '--clean-up', files.at('clean-up.json'), '--only', 'contacts.*']
  const left = () => JSON.parse(readFileSync(files.at('clean-up.json'), 'utf8'))
  expect(await runCheck([...flags, '--write'], io)).toBe(1)
  expect(left()).toMatchObject([{ kind: 'contacts' }])
  await portal.call(null, 'DELETE', `/mock/faults/${fault.id}`)
  expect(await runCheck(flags, io)).toBe(0)
  expect(left()).toEqual([])
})

test('the limit on links is reported by status when no link can be created at all', async () => {
  await using portal = await startListeningPortal()
  await portal.call(null, 'POST', '/mock/faults', { match: { route: 'links.create' }, effect: 'status', status: 503 })
  const { report } = await checkBackend(['--base', portal.base, ...ALICE, '--write', '--only', 'links.create'])
  expect(formatFindings(report)).toEqual([
    'fail write links.create: status 503 unavailable instead of a success',
    'fail write links.create, a sixth link: status 503 unavailable instead of 409 too_many_links',
  ])
})

test('failures in the baseline do not count, new ones do, and fixed ones are listed', async () => {
  await using portal = await startListeningPortal()
  using files = createTempFolder()
  const flags = ['--base', portal.base, ...ALICE, '--only', '*.list']
  const fault = (route: string) => portal.call(null, 'POST', '/mock/faults', { match: { route }, effect: 'mutate', set: { '*.id': null } })
  const { body: drift } = await fault('contacts.list')
  await fault('tags.list')
  const first = await checkBackend(flags)
  expect(first.code).toBe(1)
  writeFileSync(files.at('baseline.json'), JSON.stringify(first.report))

  await portal.call(null, 'DELETE', `/mock/faults/${drift.id}`)
  const second = await checkBackend([...flags, '--baseline', files.at('baseline.json')])
  expect(second.code).toBe(0)
  expect(second.report.mended).toEqual([
    'reads contacts.list: *: an entry without what it cannot be shown without, such as its id or its coordinates',
  ])
  expect(second.report.results.filter(({ known }) => known).map(({ name }) => name)).toEqual(['tags.list'])

  await fault('places.list')
  expect((await checkBackend([...flags, '--baseline', files.at('baseline.json')])).code).toBe(1)
})

test('--record writes an HTTP archive of every request, without secrets', async () => {
  await using portal = await startListeningPortal()
  using files = createTempFolder()
  const { report } = await checkBackend(['--base', portal.base, ...ALICE, '--only', 'links.*', '--record', files.at('run.har')])
  expect(report.clean).toBe(true)
  const text = readFileSync(files.at('run.har'), 'utf8')
  const { log } = JSON.parse(text)
  expect(log.entries.map(({ request }: { request: { method: string } }) => request.method)).toContain('POST')
  expect(log.entries[0]).toMatchObject({ request: { url: `${portal.base}/api/v1/auth/web_get_token/` }, response: { status: 200 } })
  expect(text).not.toContain('Demo-1234')
  expect(text).not.toMatch(/Bearer \w/)
  expect(text).toContain('[redacted]')
})

test('--format writes several reports to files or standard output', async () => {
  await using portal = await startListeningPortal()
  using files = createTempFolder()
  const { io, printed } = createTestIo()
  const formats = `table,json=${files.at('a.json')},junit=${files.at('a.xml')},html=${files.at('a.html')}`
  const flags = ['--base', portal.base, ...ALICE, '--only', 'tags.list', '--max-rps', '100000', '--format', formats]
  expect(await runCheck(flags, io)).toBe(0)
  expect(printed.out).toMatch(
    /reads\n {2}pass +tags\.list +200 GET \/tracker_tags\/\n[\s\S]*\nassumed\n {2}confirmed +tags\.list\n\n2 pass\nClean\.\n$/,
  )
  for (const name of ['a.json', 'a.xml', 'a.html']) expect(existsSync(files.at(name))).toBe(true)
})

test('each of several --format flags counts', async () => {
  await using portal = await startListeningPortal()
  using files = createTempFolder()
  const { io, printed } = createTestIo()
  const formats = ['--format', 'table', '--format', `json=${files.at('a.json')},html=${files.at('a.html')}`]
  expect(await runCheck(['--base', portal.base, ...ALICE, '--only', 'tags.list', '--max-rps', '100000', ...formats], io)).toBe(0)
  expect(printed.out).toMatch(/\nClean\.\n$/)
  for (const name of ['a.json', 'a.html']) expect(existsSync(files.at(name))).toBe(true)
})
