import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contracts/rules/time.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { operateAnnouncements } from '#server/operator/announcements/announce-command.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

const { email: alice } = getPersona('alice')
const config = { features: ['announcements', 'settings', 'me'] }

async function startWith(...args: string[]) {
  storage.remove('readAnnouncements')
  const portal = await startPortal()
  const until = new Date(portal.clock.now().getTime() + DAY_MS).toISOString()
  await operateAnnouncements({ db: portal.world.db, clock: portal.clock, print: () => {} }, [...args, `--until=${until}`])
  return portal
}

test('an announcement is shown in the language of the page', async () => {
  await using portal = await startWith('The map rests', '--de=Die Karte ruht', '--warning')
  await renderAt('/account', { portal, config, as: alice, languages: ['de'] })
  const notice = await screen.findByRole('region', { name: 'Ankündigung' })
  expect(within(notice).getByText('Die Karte ruht')).toHaveAttribute('lang', 'de')
})

test('an announcement without the language of the page is shown in English', async () => {
  await using portal = await startWith('The map rests')
  await renderAt('/account', { portal, config, as: alice, languages: ['fr'] })
  expect(await screen.findByText('The map rests')).toHaveAttribute('lang', 'en')
})

test('a closed announcement stays closed in this browser', async () => {
  await using portal = await startWith('The map rests')
  const { user, unmount } = await renderAt('/account', { portal, config, as: alice })
  await user.click(within(await screen.findByRole('region', { name: 'Announcement' })).getByRole('button', { name: 'Close this message' }))
  await waitFor(() => expect(screen.queryByText('The map rests')).toBeNull())
  unmount()
  const { calls } = await renderAt('/account', { portal, config, as: alice })
  await waitFor(() => expect(calls.some(({ path }) => path === '/users/announcements/')).toBe(true))
  expect(screen.queryByText('The map rests')).toBeNull()
})
