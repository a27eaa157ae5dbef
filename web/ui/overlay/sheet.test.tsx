import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { loadWords, startLanguage } from '#web/lib/i18n/i18n.ts'
import { Sheet } from './sheet.tsx'
import { nearestStop } from './use-sheet-drag.ts'

const open = async () => {
  await startLanguage('en')
  await loadWords(['inside'])
  render(
    <MantineProvider>
      <Sheet label="Trackers" stops={[0.3, 0.6, 0.9]}>
        <p>Rex</p>
      </Sheet>
    </MantineProvider>,
  )
  return { sheet: screen.getByRole('region', { name: 'Trackers' }), handle: screen.getByRole('button'), user: userEvent.setup() }
}

test('the arrow keys move the sheet between its stops', async () => {
  const { sheet, handle, user } = await open()
  handle.focus()
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(sheet.style.height).toBe('90%')
  await user.keyboard('{ArrowDown}')
  expect(sheet.style.height).toBe('60%')
  expect(handle).toHaveAttribute('aria-expanded', 'true')
})

test('Enter opens the sheet step by step and closes it at the top', async () => {
  const { sheet, handle, user } = await open()
  handle.focus()
  await user.keyboard('{Enter}{Enter}')
  expect(sheet.style.height).toBe('90%')
  expect(handle).toHaveAccessibleName('Show less')
  await user.keyboard('{Enter}')
  expect(sheet.style.height).toBe('30%')
})

test('a drag ends at the nearest stop', async () => {
  const { sheet, handle } = await open()
  Object.defineProperty(sheet.parentElement, 'clientHeight', { value: 1000 })
  fireEvent.pointerDown(handle, { clientY: 700 })
  fireEvent.pointerMove(handle, { clientY: 450 })
  expect(sheet.style.height).toBe('55%')
  fireEvent.pointerUp(handle, { clientY: 450 })
  expect(sheet.style.height).toBe('60%')
})

test('a height belongs to the nearest stop', () => {
  const indexes = [0.1, 0.44, 0.46, 1].map((share) => nearestStop([0.3, 0.6, 0.9], share))
  expect(indexes).toEqual([0, 0, 1, 2])
})
