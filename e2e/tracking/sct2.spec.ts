import { expect, test } from '#e2e/portal.ts'

test("R-2.25 R-4.32 R-9.12 the configurable mode is validated on each keystroke, saved, and applied with the tracker's next message", async ({
  page,
  open,
  world,
}) => {
  await open('/trackers/10/settings', 'alice')
  await page.getByRole('link', { name: /^Configurable mode/ }).click()
  const frequency = page.getByRole('textbox', { name: /^Minutes between two reports/ })
  const save = page.getByRole('button', { name: 'Save' })
  await expect(frequency).toHaveValue('60')
  await expect(page.getByText('33 to 78 months')).toBeVisible()
  await frequency.fill('18')
  await expect(save).toBeEnabled()
  await frequency.pressSequentially('1')
  await expect(page.getByText('Enter a whole number from 1 to 180')).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(page.getByText(/\d months/)).toHaveCount(0)
  await frequency.press('Backspace')
  await frequency.pressSequentially('0')
  await expect(page.getByText('68 to 111 months')).toBeVisible()
  await page.getByRole('radio', { name: 'every 12 hours' }).check()
  await save.click()
  const sending = page.getByText('Settings sending')
  await expect(sending).toBeVisible()
  await world.clock.advance('P1D')
  await expect(sending).toHaveCount(0)
  expect(await world.api('alice').sct2.read({ params: { id: 10 } })).toEqual({
    frequency: 180,
    keepalive_period: 1440,
    temp_uplink_slices_duration: 2,
    temp_slice_duration: 720,
  })
})
