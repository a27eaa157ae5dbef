import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { DeedKind } from '#contracts/operator/deeds.ts'
import { insertDeed } from '#server/deeds/deeds.store.ts'
import type { World } from '#server/ports/world.ts'
import { openConsole } from '#web/test/open-console.ts'

const write = (world: World, kind: DeedKind, subject: string, detail: Record<string, string> = {}, who = 'Nora King') =>
  world.db.write([], async (tx) => {
    await insertDeed(tx, {
      ...{ at: world.clock.now(), actor: 'staff:1', who, kind, subject, detail },
      ...{ accountId: null, repeatKey: null, requestHash: null, response: null },
    })
  })

/** The log is read when its screen is opened, so the deeds come before that. */
async function open(deeds: (world: World) => Promise<unknown>) {
  const page = await openConsole('/operator/staff', { role: 'admin' })
  await deeds(page.portal.world)
  await page.user.click(await page.screen.findByRole('link', { name: 'Log' }))
  const sentences = () =>
    within(page.screen.getByRole('table', { name: 'Log' }))
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
  await page.screen.findByRole('table', { name: 'Log' })
  return { ...page, sentences }
}

test('each deed is a sentence, the newest first', async () => {
  await using page = await open(async (world) => {
    await write(world, 'staff_added', 'sam@shop.example', { role: 'support' })
    await write(world, 'staff_changed', 'sam@shop.example', { from: 'support', to: 'finance' })
    await write(world, 'key_ended', 'Shop')
  })
  expect(page.sentences()).toEqual([
    'Ended the key “Shop”',
    'Changed the role of sam@shop.example from Support to Finance',
    'Invited sam@shop.example in the role Support',
  ])
})

test('the log is filtered by kind and subject, in the address', async () => {
  await using page = await open(async (world) => {
    await write(world, 'staff_added', 'sam@shop.example', { role: 'support' })
    await write(world, 'staff_removed', 'sam@shop.example')
    await write(world, 'staff_removed', 'olaf@shop.example')
  })
  const { screen, user } = page
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Member removed')
  await waitFor(() => expect(page.sentences()).toHaveLength(2))
  await user.type(screen.getByRole('textbox', { name: 'Done to (exact)' }), 'sam@shop.example{Enter}')
  await waitFor(() => expect(page.sentences()).toEqual(['Removed sam@shop.example from the staff']))
  expect(window.location.search).toBe('?kind=staff_removed&subject=sam%40shop.example')
})

test('older deeds come page by page', async () => {
  await using page = await open(async (world) => {
    for (let n = 0; n < 101; n++) await write(world, 'key_added', `Shop ${n}`, { role: 'stock' })
  })
  expect(page.sentences()).toHaveLength(100)
  await page.user.click(page.screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(page.sentences()).toHaveLength(101))
  expect(page.screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('the log is sorted by who did it, and keeps its filter', async () => {
  await using page = await open(async (world) => {
    for (const who of ['Zoe', 'Ada', 'Max']) await write(world, 'key_ended', `Shop of ${who}`, {}, who)
  })
  const { screen, user } = page
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Key ended')
  await waitFor(() => expect(window.location.search).toBe('?kind=key_ended'))
  await waitFor(() => expect(page.sentences()).toHaveLength(3))
  await user.click(within(screen.getByRole('columnheader', { name: 'Who' })).getByRole('button'))
  await waitFor(() => expect(page.sentences()).toEqual(['Ada', 'Max', 'Zoe'].map((who) => `Ended the key “Shop of ${who}”`)))
  expect(window.location.search).toBe('?kind=key_ended&sort=who')
})
