import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryRows } from '#server/test/test-database.ts'
import { operateCustomers } from './customers-command.ts'

const ALICE = 'alice@example.com'

async function open() {
  const portal = await startPortal()
  const lines: string[] = []
  const { db, clock, ids, claims, graceDays } = portal.world
  const ports = { db, clock, ids, claims, graceDays, print: (line: string) => void lines.push(line) }
  const run = async (...args: string[]) => {
    lines.length = 0
    expect(await operateCustomers(ports, args)).toBe(true)
    return lines.join('\n')
  }
  return { portal, ports, run, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

test('the program finds, shows and helps a customer', async () => {
  await using page = await open()
  const { run, portal } = page
  expect(await run('find', ALICE)).toContain(`"email":"${ALICE}"`)
  expect(JSON.parse(await run('show', ALICE))).toMatchObject({ email: ALICE, counts: { trackers: expect.any(Number) } })
  expect(await run('unlock', ALICE)).toMatch(/^Wrong passwords of C-\d+ no longer count\.$/)
  expect(await run('resend', ALICE, 'password')).toBe(`${ALICE} gets a mail.`)
  expect(await run('sessions', 'end', ALICE)).toMatch(/^Ended \d+ sessions of C-\d+\.$/)
  const [misty] = await queryRows<{ identifier: string }>(
    portal.world.db,
    `select identifier from devices where id = ${SEED.devices.misty}`,
  )
  expect(await run('give-months', ALICE, '--tracker', misty!.identifier, '--months', '2')).toMatch(/^The subscription ends at 20/)
})

test('the program starts a change of e-mail with a reason', async () => {
  await using page = await open()
  const change = ['change-email', ALICE, '--to', 'alice.new@example.com']
  expect(await page.run(...change, '--reason', 'Old mailbox closed')).toMatch(
    /^alice\.new@example\.com gets a mail with a link\. The address of C-\d+ /,
  )
  await expect(operateCustomers(page.ports, change)).rejects.toThrow('--to is an e-mail address, and --reason says why')
})

test('the program refuses what it does not know, in a sentence', async () => {
  await using page = await open()
  const { ports } = page
  expect(await operateCustomers(ports, ['forget', ALICE])).toBe(false)
  expect(await operateCustomers(ports, ['show'])).toBe(false)
  await expect(operateCustomers(ports, ['show', 'nobody@nowhere'])).rejects.toThrow('No customer is found by nobody@nowhere.')
  await expect(operateCustomers(ports, ['give-months', ALICE, '--months', '99'])).rejects.toThrow('--months is a number from 1 to 36.')
  await expect(operateCustomers(ports, ['move-plan', ALICE, '--from', '1', '--to', '2'])).rejects.toThrow(
    '--from is the identifier of a tracker',
  )
})
