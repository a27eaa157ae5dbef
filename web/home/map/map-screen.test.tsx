import { expect, test } from 'vitest'
import { openAs } from '#web/test/open-as.tsx'

test('R-2.58 the map screen lists its trackers and those without a position', async () => {
  await using page = await openAs('alice@example.com', '/map')
  const { screen, user } = page
  await user.click(await screen.findByText('No position'))
  expect(screen.getByRole('link', { name: 'New tracker' })).toBeVisible()
  await user.click(screen.getByText('Trackers', { selector: 'summary' }))
  expect(screen.getByRole('link', { name: 'Misty' })).toHaveAttribute('href', '/trackers/2')
  expect(screen.getByRole('button', { name: 'Zoom in' })).toBeVisible()
})

test('R-2.58 the map screen says when there are no trackers', async () => {
  await using page = await openAs('dario@example.com', '/map')
  const { screen } = page
  expect(await screen.findByText('No tracker has a position yet')).toBeVisible()
})
