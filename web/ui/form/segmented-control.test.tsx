import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { SegmentedControl } from './segmented-control.tsx'

const options = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const

function Choice() {
  const [value, setValue] = useState<(typeof options)[number]['value']>('day')
  return (
    <>
      <SegmentedControl label="Period" value={value} onChange={setValue} options={options} />
      <output>{value}</output>
    </>
  )
}

test('a segmented control is a named group with one selected option', async () => {
  render(<Choice />)
  expect(screen.getByRole('group', { name: 'Period' })).toBeVisible()
  expect(screen.getByRole('radio', { name: 'Day' })).toBeChecked()
  await userEvent.click(screen.getByRole('radio', { name: 'Month' }))
  expect(screen.getByRole('status')).toHaveTextContent('month')
})

test('the arrow keys change the selection', async () => {
  render(<Choice />)
  screen.getByRole('radio', { name: 'Day' }).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('status')).toHaveTextContent('week')
})

test('two segmented controls are independent', async () => {
  render(
    <>
      <Choice />
      <Choice />
    </>,
  )
  const weeks = screen.getAllByRole('radio', { name: 'Week' })
  for (const week of weeks) await userEvent.click(week)
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual(['week', 'week'])
})
