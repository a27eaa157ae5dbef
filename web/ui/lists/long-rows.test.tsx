import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { giveElementsSize, scrollElement } from '#web/test/element-sizes.ts'
import { LongRows } from './long-rows.tsx'
import { useFindKey } from './search-field.tsx'
import { addIndexes } from './windowed-rows.tsx'

const HEIGHT = 60
let restoreSizes: () => void
beforeEach(() => {
  restoreSizes = giveElementsSize({ visible: 10 * HEIGHT, row: HEIGHT })
})
afterEach(() => restoreSizes())

const makeItems = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Tracker ${index + 1}` }))

const List = ({ count, chosen, Rows = LongRows }: { count: number; chosen?: number; Rows?: typeof LongRows }) => (
  <div data-testid="scroller" style={{ overflowY: 'auto' }}>
    <ul>
      <Rows items={makeItems(count)} as="li" rowHeight={HEIGHT} chosen={chosen}>
        {({ name }, attributes) => (
          <li {...attributes}>
            <button type="button">{name}</button>
          </li>
        )}
      </Rows>
    </ul>
  </div>
)

const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const windowed = () => waitFor(() => expect(screen.getAllByRole('listitem')[0]).toHaveAttribute('aria-posinset', '1'))

async function openLong(props: { chosen?: number } = {}) {
  const view = render(<List count={5000} {...props} />)
  await windowed()
  const scroller = screen.getByTestId('scroller')
  return { ...view, scrollTo: (row: number) => act(() => scrollElement(scroller, (row - 1) * HEIGHT)) }
}

describe('a list of few rows', () => {
  test('all rows of a list of a hundred are drawn, without positions', () => {
    render(<List count={100} />)
    expect(names()).toHaveLength(100)
    expect(screen.getAllByRole('listitem')[0]).not.toHaveAttribute('aria-posinset')
  })
})

describe('a list of many rows', () => {
  test('only the rows near the visible part are drawn, and gaps keep the height of the others', async () => {
    await openLong()
    expect(names().length).toBeLessThan(30)
    expect(names()[0]).toBe('Tracker 1')
    const gaps = [...document.querySelectorAll<HTMLElement>('li[aria-hidden]')].map(({ style }) => Number.parseFloat(style.height))
    expect(gaps.reduce((sum, height) => sum + height, 0)).toBe((5000 - names().length) * HEIGHT)
  })

  test('each row has its position and the number of all rows', async () => {
    const { scrollTo } = await openLong()
    scrollTo(3000)
    const row = screen.getByRole('button', { name: 'Tracker 3000' }).closest('li')
    expect(row).toHaveAttribute('aria-posinset', '3000')
    expect(row).toHaveAttribute('aria-setsize', '5000')
    expect(names().length).toBeLessThan(30)
  })

  test('the focused row keeps the focus when it is scrolled away, and Tab continues with the next row', async () => {
    const user = userEvent.setup()
    const { scrollTo } = await openLong()
    act(() => screen.getByRole('button', { name: 'Tracker 3' }).focus())
    scrollTo(3000)
    expect(screen.getByRole('button', { name: 'Tracker 3' })).toHaveFocus()
    await user.tab()
    expect(screen.getByRole('button', { name: 'Tracker 4' })).toHaveFocus()
    await user.tab({ shift: true })
    expect(screen.getByRole('button', { name: 'Tracker 3' })).toHaveFocus()
  })

  test('a row that has the focus while the list is loading keeps it', async () => {
    vi.resetModules()
    const { LongRows: NotLoaded } = await import('./long-rows.tsx')
    render(<List count={5000} Rows={NotLoaded} />)
    const loading = screen.getAllByRole('listitem')[0]
    act(() => screen.getByRole('button', { name: 'Tracker 7' }).focus())
    expect(loading).not.toHaveAttribute('aria-posinset')
    await windowed()
    expect(screen.getByRole('button', { name: 'Tracker 7' })).toHaveFocus()
  })

  test('the chosen row is drawn wherever it is, so that it can scroll into view', async () => {
    await openLong({ chosen: 4321 })
    expect(screen.getByRole('button', { name: 'Tracker 4321' }).closest('li')).toHaveAttribute('aria-posinset', '4321')
  })

  test('a list that becomes short draws all its rows', async () => {
    const { rerender } = await openLong()
    rerender(<List count={40} />)
    expect(names()).toHaveLength(40)
  })
})

test('the rows before and after the focused one are rendered too, but none outside the list', () => {
  expect(addIndexes([5, 6], 10, 0, -1)).toEqual([0, 1, 5, 6])
  expect(addIndexes([5, 6], 10, 9, 7)).toEqual([5, 6, 7, 8, 9])
  expect(addIndexes([5, 6], 10, -1, -1)).toEqual([5, 6])
})

const Search = ({ isLong }: { isLong: boolean }) => (
  <>
    <button type="button">Elsewhere</button>
    <input ref={useFindKey(isLong)} aria-label="Search" defaultValue="rex" />
  </>
)

test("Ctrl F on a page with a long list focuses its search field, and in the field opens the browser's search", () => {
  render(<Search isLong />)
  const press = () => fireEvent.keyDown(window, { key: 'f', ctrlKey: true })
  // fireEvent is false when the default was prevented.
  expect(press()).toBe(false)
  expect(screen.getByRole('textbox')).toHaveFocus()
  expect(press()).toBe(true)
})

test("Ctrl F on a page with a short list opens the browser's search", () => {
  render(<Search isLong={false} />)
  expect(fireEvent.keyDown(window, { key: 'f', ctrlKey: true })).toBe(true)
  expect(screen.getByRole('textbox')).not.toHaveFocus()
})
