import { screen, within } from '@testing-library/react'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { SentHook } from '#contracts/mock/outgoing.ts'
import { FEATURES } from '#contracts/reader/features.ts'
import { users } from '#db/schema/accounts.ts'
import { channels } from '#db/schema/messages.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { openAs } from '#web/test/open-as.tsx'

const CHLOE = 'chloe@example.com'

test('a webhook is added with its secret, starts with the code that was sent there, and takes a test', async () => {
  await using page = await openAs('alice@example.com', '/account/preferences', { features: [...FEATURES] })
  const { user } = page
  await user.click(await screen.findByRole('button', { name: 'Add a way' }))
  await user.type(await screen.findByLabelText(/^Name/), 'Home Assistant')
  await user.type(screen.getByLabelText(/^Address/), 'https://hooks.example.org/rex')
  await user.click(screen.getByRole('button', { name: 'Send a code' }))
  const secret = await screen.findByText(/^whsec_/)
  expect(secret).toBeVisible()
  const { body } = (await page.portal.call(null, 'POST', '/mock/hooks/wait', { kind: 'webhook', timeout_ms: 5000 })) as { body: SentHook }
  await user.type(screen.getByLabelText(/^Code/), (body.json.data as { code: string }).code)
  await user.click(screen.getByRole('button', { name: 'Start' }))
  const row = (await screen.findByText('Home Assistant')).closest('li')!
  expect(await within(row).findByText(/^Last arrived/)).toBeVisible()
  await user.click(within(row).getByRole('button', { name: 'Send a test' }))
  expect(await screen.findByText('A test is on its way to Home Assistant')).toBeVisible()
})

test('the trackers and kinds of alerts of a channel are chosen while it is added', async () => {
  await using page = await openAs('alice@example.com', '/account/preferences', { features: [...FEATURES] })
  const { user } = page
  await user.click(await screen.findByRole('button', { name: 'Add a way' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText(/^Name/), 'Garden')
  await user.type(dialog.getByLabelText(/^Address/), 'https://hooks.example.org/rex')
  await user.click(dialog.getByText('Choose alerts'))
  await user.click(await dialog.findByRole('checkbox', { name: 'Rex' }))
  await user.click(dialog.getByRole('checkbox', { name: 'Low battery' }))
  await user.click(dialog.getByRole('button', { name: 'Send a code' }))
  const row = (await screen.findByText('Garden')).closest('li')!
  expect(await within(row).findByText('Only: Rex, Low battery')).toBeInTheDocument()
  expect((await page.portal.world.db.read.query.channels.findMany()).at(-1)).toMatchObject({ label: 'Garden', kinds: ['low_battery'] })
})

test('an address that leads into a private network is refused at its field', async () => {
  await using page = await openAs('alice@example.com', '/account/preferences', { features: [...FEATURES] })
  const { user } = page
  await user.click(await screen.findByRole('button', { name: 'Add a way' }))
  await user.type(await screen.findByLabelText(/^Name/), 'Router')
  await user.type(screen.getByLabelText(/^Address/), 'https://192.168.1.1/')
  await user.click(screen.getByRole('button', { name: 'Send a code' }))
  expect(await screen.findByText('Enter a public address that begins with https://')).toBeVisible()
  expect(screen.getByLabelText(/^Address/)).toHaveFocus()
})

test('a wrong code is refused with a message, and the right one starts the channel', async () => {
  await using page = await openAs(CHLOE, '/account/preferences', { features: [...FEATURES] })
  const { user } = page
  expect(await screen.findByText('Waits for its code')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Enter the code' }))
  await user.type(await screen.findByLabelText(/^Code/), '000000')
  await user.click(screen.getByRole('button', { name: 'Start' }))
  expect(await screen.findByText('This code is wrong.')).toBeVisible()
  await user.clear(screen.getByLabelText(/^Code/))
  await user.type(screen.getByLabelText(/^Code/), '471147')
  await user.click(screen.getByRole('button', { name: 'Start' }))
  expect(await screen.findByText('Ready')).toBeVisible()
})

const failures: [object, string | RegExp][] = [
  [{ status: 410 }, 'Stopped: the receiver said that it is gone.'],
  [{ status: 500 }, /^Nothing has arrived since/],
]
test.each(failures)('a receiver that answers %o is shown: %s', async (answer, words) => {
  await using page = await openAs(CHLOE, '/account/preferences', { features: [...FEATURES] })
  const { user } = page
  await startChannel(page)
  await page.portal.call(null, 'PUT', '/mock/hooks/answer', answer)
  await user.click(await screen.findByRole('button', { name: 'Send a test' }))
  expect(await screen.findByText(words)).toBeVisible()
})

test('a channel is switched off and on, and removed', async () => {
  await using page = await openAs(CHLOE, '/account/preferences', { features: [...FEATURES] })
  const { user } = page
  await startChannel(page)
  await user.click(await screen.findByRole('button', { name: 'Switch off' }))
  expect(await screen.findByText('Switched off')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Switch on' }))
  expect(await screen.findByText('Ready')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remove My phone' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await expect.poll(() => screen.queryByText('My phone')).toBeNull()
})

test('a channel gets only the chosen trackers and kinds of alerts, or all again', async () => {
  await using page = await openAs('alice@example.com', '/account/preferences', { features: [...FEATURES] })
  const { user, portal } = page
  await addWebhook(page)
  await user.click(await screen.findByRole('button', { name: 'Alerts for House' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(await dialog.findByRole('checkbox', { name: /^Rex/ }))
  await user.click(dialog.getByRole('checkbox', { name: 'Low battery' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Only: Rex, Low battery')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Alerts for House' }))
  await user.click(await screen.findByRole('checkbox', { name: /^Rex/ }))
  await user.click(screen.getByRole('checkbox', { name: 'Low battery' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByText(/^Only:/)).toBeNull()
  const [{ devices, kinds }] = (await portal.call('alice@example.com', 'GET', '/users/channels/')).body
  expect([devices, kinds]).toEqual([null, null])
})

test('a channel whose chosen trackers were all removed says that nothing is sent', async () => {
  await using page = await openAs('alice@example.com', '/account/preferences', { features: [...FEATURES] })
  await addWebhook(page, false)
  expect(await screen.findByText(/^The chosen trackers were removed/)).toBeVisible()
})

/** A webhook of Alice, which the page shows once it reads its channels again. */
async function addWebhook({ portal }: Awaited<ReturnType<typeof openAs>>, isForAllDevices = true) {
  const { db, clock } = portal.world
  await db.write('everything', async (tx) => {
    const [alice] = await tx.select().from(users).where(eq(users.email, 'alice@example.com'))
    const common = { userId: alice!.id, createdAt: clock.now(), verifiedAt: clock.now(), isForAllDevices }
    await tx.insert(channels).values({ ...common, kind: 'webhook', label: 'House', target: 'https://hooks.example.org/rex' })
  })
  await queryClient.invalidateQueries()
}

async function startChannel({ user }: Pick<Awaited<ReturnType<typeof openAs>>, 'user'>) {
  await user.click(await screen.findByRole('button', { name: 'Enter the code' }))
  await user.type(await screen.findByLabelText(/^Code/), '471147')
  await user.click(screen.getByRole('button', { name: 'Start' }))
  expect(await screen.findByText('Ready')).toBeVisible()
}
