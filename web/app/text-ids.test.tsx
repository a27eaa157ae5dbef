import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgiven, withTextIds } from '#web/test/habits.ts'
import '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'
let portal: Awaited<ReturnType<typeof startSyncedPortal>>
beforeEach(async () => {
  portal = await startSyncedPortal()
})
afterEach(async () => {
  await portal[Symbol.asyncDispose]()
  forgiven.splice(0)
})

const open = async (path: string) => {
  const server = withTextIds(portal)
  return { ...(await renderAt(path, { portal: server, as: ALICE })), sent: server.sent }
}
const settle = () => waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled())

test('a tracker is opened from the list, and its settings are saved with the tag that was chosen', async () => {
  const { user, sent } = await open('/trackers')
  await user.click(await screen.findByRole('link', { name: 'Misty' }))
  expect(window.location.pathname).toBe('/trackers/u-2')
  await user.click(await screen.findByRole('link', { name: 'Tracker settings' }))
  await screen.findByRole('option', { name: 'Stolen' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Tag' }), 'Stolen')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeVisible()
  expect(sent.at(-1)).toMatchObject({ tag: expect.stringMatching(/^u-/) })
  expect((await portal.call(ALICE, 'GET', '/devices/2/')).body.tag.name).toBe('Stolen')
})

test('the list of trackers is filtered by a tag', async () => {
  const { user } = await open('/tags')
  await user.click((await screen.findAllByRole('link', { name: /^\d+ trackers?$/ }))[0]!)
  await screen.findByRole('table')
  expect(window.location.search).toMatch(/^\?tag=u-\d+$/)
  expect(await screen.findByRole('button', { name: /^Tag \w+/ })).toBeVisible()
  expect(screen.getAllByRole('rowheader').length).toBeLessThan(18)
})

test('a place is changed and keeps its trackers', async () => {
  const { user } = await open('/places')
  await user.click(await screen.findByRole('link', { name: 'Home' }))
  await settle()
  await user.click(await screen.findByRole('checkbox', { name: 'Misty' }))
  const before = (await portal.call(ALICE, 'GET', '/tracker_places/')).body.find(({ name }: { name: string }) => name === 'Home')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeVisible()
  const after = (await portal.call(ALICE, 'GET', `/tracker_places/${before.id}/`)).body
  expect(after.devices).toEqual(before.devices.filter((id: number) => id !== 2))
})

test('a subscription is bought, and its return page waits for one other than the current', async () => {
  const { user, sent } = await open('/subscription')
  await user.selectOptions(await screen.findByRole('combobox', { name: /Tracker/ }), 'Misty')
  expect(await screen.findByRole('heading', { name: 'Extend Misty' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Pay by card' }))
  const success_path = expect.stringMatching(/before=u-\d+&devices=u-2$/)
  await waitFor(() => expect(sent).toMatchObject([{ items: [{ device: 'u-2' }], success_path }]))
})

test.each([
  ['/trackers/u-1/history', 'link', /Rex$/],
  ['/app/theft_file?id=u-11', 'link', 'Stolen scooter'],
  ['/config_sct2?id=u-10', 'heading', 'Configurable mode'],
  ['/network_activate?id=u-9', 'heading', 'Network deactivated'],
] as const)('%s finds its tracker', async (path, role, name) => {
  await open(path)
  expect(await screen.findByRole(role, { name })).toBeVisible()
})
