import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import sharp from 'sharp'
import { beforeEach, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { withHeldRequest } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const open = (id: number) => openAs(ALICE, `/trackers/${id}/settings`, { features: [...FEATURES] })
const section = async () => within(await screen.findByRole('region', { name: 'Photo and icon' }))
const readDevice = async ({ portal }: Awaited<ReturnType<typeof open>>, id: number) =>
  (await portal.call(ALICE, 'GET', `/devices/${id}/`)).body

/** jsdom decodes and encodes no pictures. */
beforeEach(() => {
  vi.stubGlobal('createImageBitmap', async (file: File) => {
    if (!file.type.startsWith('image/')) throw new Error('not a picture')
    return { width: 900, height: 600 }
  })
  const toBlob = vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(async (done) => {
    const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#c33' } })
      .jpeg()
      .toBuffer()
    done(new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }))
  })
  return () => {
    toBlob.mockRestore()
    vi.unstubAllGlobals()
  }
})

test("a tracker's own icon is saved at once and shown instead of that of its kind", async () => {
  await using page = await open(3)
  await page.user.click((await section()).getByRole('radio', { name: 'Scooter' }))
  expect(await screen.findByText('Saved')).toBeVisible()
  expect(await readDevice(page, 3)).toMatchObject({ icon: 'scooter' })
  await page.user.click((await section()).getByRole('radio', { name: 'Bike' }))
  await waitFor(async () => expect(await readDevice(page, 3)).not.toHaveProperty('icon'))
})

test('icons chosen in quick succession are saved one after the other', async () => {
  await using portal = await startPortal()
  const server = withHeldRequest(portal, 'PUT')
  const { user } = await renderAt('/trackers/3/settings', { portal: server, as: ALICE, config: { features: [...FEATURES] } })
  const form = await section()
  await user.click(form.getByRole('radio', { name: 'Scooter' }))
  await user.click(form.getByRole('radio', { name: 'Boat' }))
  expect(server.sent).toEqual([{ icon: 'scooter' }])
  server.release()
  await waitFor(() => expect(screen.getAllByText('Saved')).toHaveLength(2))
  expect(server.sent).toEqual([{ icon: 'scooter' }, { icon: 'boat' }])
  expect((await portal.call(ALICE, 'GET', '/devices/3/')).body.icon).toBe('boat')
})

test('a photo is cropped in a dialog, saved, and can be removed', async () => {
  await using page = await open(3)
  const form = await section()
  await page.user.upload(form.getByLabelText('Choose a photo', { selector: 'input' }), new File(['x'], 'bike.jpg', { type: 'image/jpeg' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Crop the photo' }))
  fireEvent.keyDown(dialog.getByRole('img'), { key: 'ArrowLeft' })
  fireEvent.change(dialog.getByRole('slider', { name: 'Zoom' }), { target: { value: '2' } })
  await page.user.click(dialog.getByRole('button', { name: 'Use this photo' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { photo } = await readDevice(page, 3)
  await waitFor(() => expect(document.querySelector('section img')).toHaveAttribute('src', `/photos/${photo}/small.jpg`))
  await page.user.click(form.getByRole('button', { name: 'Remove' }))
  await waitFor(async () => expect(await readDevice(page, 3)).not.toHaveProperty('photo'))
})

test('a file that is not a picture is refused before anything is sent', async () => {
  await using page = await open(3)
  const input = (await section()).getByLabelText('Choose a photo', { selector: 'input' })
  fireEvent.change(input, { target: { files: [new File(['x'], 'a.txt', { type: 'text/plain' })] } })
  expect(await screen.findByText(/not a readable picture/)).toBeVisible()
  expect(page.calls.some(({ method }) => method === 'PUT')).toBe(false)
})
