import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES, type Feature } from '#contracts/reader/features.ts'
import { API_TOKEN } from '#server/mock/seed/records/seed-secrets.ts'
import { openAs } from '#web/test/open-as.tsx'

const open = (email = 'alice@example.com', features: Feature[] = [...FEATURES]) => openAs(email, '/account/security', { features })
const card = async () => within(await screen.findByRole('region', { name: 'API tokens' }))
const rows = async () => (await card()).findAllByRole('listitem')

test('each token is listed with its rights, its trackers, expiry and last use', async () => {
  await using _ = await open()
  const [token] = await rows()
  expect(token).toHaveTextContent(
    /^Home AssistantSee: Trackers and where they are now, History and live positionsAll trackers · Ends Jan 21, 2027 · Last used Mar 2, 2026/,
  )
})

test('a token for some trackers is created with rights that concern only those, and is shown once', async () => {
  await using page = await open()
  const { user } = page
  await user.click(await (await card()).findByRole('button', { name: 'Create a token' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: /What it is for/ }), 'Dashboard')
  expect(dialog.getByRole('combobox', { name: 'Contacts' })).toBeVisible()
  await user.click(dialog.getByRole('radio', { name: 'Only some' }))
  expect(dialog.queryByRole('combobox', { name: 'Contacts' })).toBeNull()
  await user.click(await dialog.findByRole('checkbox', { name: 'Rex' }))
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Trackers and where they are now' }), 'See and change')
  await user.click(dialog.getByRole('button', { name: 'Create a token' }))

  const fresh = within(await screen.findByRole('region', { name: 'Your new token' }))
  const secret = fresh.getByText(/^wat_/).textContent
  const call = (method: string, url: string) =>
    page.portal.call(null, method, url, method === 'GET' ? undefined : {}, { authorization: `Bearer ${secret}` })
  expect((await call('GET', '/devices/?type=tracker')).body).toMatchObject([{ name: 'Rex' }])
  expect((await call('GET', '/tracker_places/')).status).toBe(403)
  await waitFor(async () =>
    expect((await rows())[0]).toHaveTextContent(
      /^DashboardSee: History and live positionsSee and change: Trackers and where they are now1 tracker · Ends May 31, 2026 · Never used/,
    ),
  )
  await user.click(fresh.getByRole('button', { name: 'I have saved it' }))
  expect(screen.queryByText(secret!)).toBeNull()
})

test('a token without any right is refused with a message', async () => {
  await using page = await open()
  await page.user.click(await (await card()).findByRole('button', { name: 'Create a token' }))
  const dialog = within(await screen.findByRole('dialog'))
  await page.user.type(dialog.getByRole('textbox', { name: /What it is for/ }), 'Dashboard')
  for (const name of ['Trackers and where they are now', 'History and live positions'])
    await page.user.selectOptions(dialog.getByRole('combobox', { name }), 'Nothing')
  await page.user.click(dialog.getByRole('button', { name: 'Create a token' }))
  expect(await dialog.findByText('Choose something that the token may do.')).toBeVisible()
})

test('a token is revoked after a confirmation, and leaves the list', async () => {
  await using page = await open()
  await page.user.click(await (await card()).findByRole('button', { name: 'Revoke Home Assistant' }))
  await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
  await waitFor(async () => expect((await card()).queryByRole('listitem')).toBeNull())
  const headers = { authorization: `Bearer ${API_TOKEN}` }
  expect((await page.portal.call(null, 'GET', '/devices/?type=tracker', undefined, headers)).status).toBe(401)
})

test('a team member, and a backend without tokens, have no token card', async () => {
  for (const [email, features] of [
    ['member@pro.example.com', [...FEATURES]],
    ['alice@example.com', FEATURES.filter((name) => name !== 'apiTokens')],
  ] as const) {
    await using _ = await open(email, [...features])
    await screen.findByRole('region', { name: 'Recent activity' })
    expect(screen.queryByRole('region', { name: 'API tokens' })).toBeNull()
  }
})
