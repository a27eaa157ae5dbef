import { fireEvent, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

vi.setConfig({ testTimeout: 90_000 })
// jsdom has no Path2D.
vi.stubGlobal(
  'Path2D',
  class {
    moveTo() {}
    lineTo() {}
    rect() {}
    closePath() {}
  },
)

test('R-2.59 speed and battery charts are drawn on demand, each with a description for screen readers', async () => {
  await using page = await openAs('alice@example.com', '/trackers/1/history?day=2026-02-20')
  const { screen, user } = page
  const button = await screen.findByRole('button', { name: 'Charts of speed and battery' }, { timeout: 40_000 })
  await user.click(button)
  expect(button).toHaveAttribute('aria-pressed', 'true')
  expect(await screen.findByRole('img', { name: /^Speed: up to \d+ km\/h$/ }, { timeout: 40_000 })).toBeInTheDocument()
  const battery = screen.getByRole('img', { name: /^Battery: from \d+% to \d+%$/ })

  const slider = screen.getByRole('slider', { name: 'Moment shown' })
  const before = slider.getAttribute('aria-valuetext')
  await waitFor(() => expect(battery.querySelector('.u-over')).not.toBeNull())
  fireEvent(battery.querySelector('.u-over')!, new MouseEvent('pointermove', { clientX: 200, bubbles: true }))
  expect(slider.getAttribute('aria-valuetext')).not.toBe(before)

  await user.click(button)
  expect(screen.queryByRole('img', { name: /^Speed/ })).toBeNull()
})
