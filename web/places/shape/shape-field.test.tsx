import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Place } from '#contracts/places.ts'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'
const save = () => screen.getByRole('button', { name: 'Save' })

async function open(path: string, features: readonly string[] = FEATURES) {
  const page = await openAs(ALICE, path, { features: [...features] })
  await waitFor(() => expect(save()).toBeEnabled())
  return {
    ...page,
    places: async () => (await page.portal.call(ALICE, 'GET', '/tracker_places/')).body as Place[],
    add: async () => page.user.click(await screen.findByRole('button', { name: 'Add a point here' })),
    /** Moves a point by arrow keys in the list, 100 m each. */
    move: async (nth: number, keys: string) => {
      screen.getByRole('button', { name: new RegExp(`^Point ${nth};.*: `) }).focus()
      await page.user.keyboard(`{Shift>}${keys}{/Shift}`)
    },
  }
}

test('R-1.9 D-137 an area is drawn and edited without a pointer, and saved without an address', async () => {
  await using page = await open('/places/new')
  await page.user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Park')
  await page.user.click(screen.getByRole('radio', { name: 'Other' }))
  await page.user.click(screen.getByRole('radio', { name: 'Area' }))
  await page.user.click(save())
  expect(await screen.findByText('At least 3 points are needed.')).toBeVisible()
  for (let nth = 0; nth < 4; nth++) await page.add()
  expect(screen.getByText('4 points')).toBeVisible()
  await page.user.click(screen.getByText('Points with coordinates'))
  await page.move(2, '{ArrowRight}{ArrowRight}')
  await page.move(3, '{ArrowRight}{ArrowRight}{ArrowUp}{ArrowUp}')
  await page.move(4, '{ArrowUp}{ArrowLeft}')
  await page.user.click(save())
  expect(await screen.findByText('Place created')).toBeVisible()
  const made = (await page.places()).find(({ name }) => name === 'Park')
  expect(made?.shape).toMatchObject({ type: 'polygon', points: expect.arrayContaining([expect.anything()]) })
  expect(made?.shape?.points).toHaveLength(4)
  expect(made?.address).toMatch(/^-?\d+\.\d{5}, /)
})

test('a way has a width, and the last steps can be undone', async () => {
  await using page = await open('/places/new')
  await page.user.click(screen.getByRole('radio', { name: 'Way' }))
  expect(screen.getByRole('slider', { name: 'Width on each side' })).toHaveAttribute('aria-valuetext', '100 m')
  await page.add()
  await page.add()
  await page.user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(screen.getByText('1 point')).toBeVisible()
  await page.user.click(screen.getByRole('button', { name: 'Remove all' }))
  expect(screen.getByText('0 points')).toBeVisible()
  expect(screen.queryByRole('spinbutton', { name: /^Radius/ })).toBeNull()
})

test('a place with a shape becomes a circle again', async () => {
  await using portal = await startSyncedPortal()
  const path = `/tracker_places/${SEED.places.home}/`
  const points = [
    [-34.9, -56.17],
    [-34.9, -56.1],
  ]
  await portal.call(ALICE, 'PATCH', path, { shape: { type: 'corridor', points, width: 75 } })
  const { user } = await renderAt(`/places/${SEED.places.home}`, { portal, as: ALICE })
  expect(await screen.findByRole('radio', { name: 'Way' })).toBeChecked()
  expect(screen.getByRole('slider', { name: 'Width on each side' })).toHaveAttribute('aria-valuetext', '75 m')
  await waitFor(() => expect(save()).toBeEnabled())
  await user.click(screen.getByRole('radio', { name: 'Circle' }))
  await user.click(save())
  expect(await screen.findByText('Saved')).toBeVisible()
  expect((await portal.call(ALICE, 'GET', path)).body).not.toHaveProperty('shape')
})

test('a backend without shapes offers circles only', async () => {
  await using _page = await open(
    '/places/new',
    FEATURES.filter((feature) => feature !== 'placeShapes'),
  )
  expect(screen.queryByRole('radio', { name: 'Area' })).toBeNull()
})
