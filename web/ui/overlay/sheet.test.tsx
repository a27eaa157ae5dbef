import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { loadWords, startLanguage } from '#web/lib/i18n/i18n.ts'
import { nearestStop, Sheet } from './sheet.tsx'

beforeAll(async () => {
  await startLanguage('en')
  await loadWords(['inside'])
})

const HEIGHT = 1000
function open(props: { stops?: number[]; stop?: number; onStop?: (stop: number) => void } = {}) {
  render(
    <MantineProvider>
      <Sheet label="Trackers" stops={[0.3, 0.6, 0.9]} {...props}>
        <button type="button">Rex</button>
      </Sheet>
    </MantineProvider>,
  )
  const sheet = screen.getByRole('region', { name: 'Trackers' })
  const handle = screen.getByRole('button', { name: /^Show/ })
  Object.defineProperty(sheet.parentElement, 'clientHeight', { value: HEIGHT, configurable: true })
  const drag = (...ys: number[]) => {
    fireEvent.pointerDown(handle, { clientY: ys[0] })
    for (const clientY of ys.slice(1)) fireEvent.pointerMove(handle, { clientY })
    return { release: () => fireEvent.pointerUp(handle, { clientY: ys.at(-1) }) }
  }
  return { sheet, handle, drag }
}
const height = (sheet: HTMLElement) => sheet.style.height

test('the arrow keys move the sheet between its stops', async () => {
  const { sheet, handle } = open()
  handle.focus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(sheet.style.height).toBe('90%')
  await userEvent.keyboard('{ArrowDown}')
  expect(sheet.style.height).toBe('60%')
  expect(handle).toHaveAttribute('aria-expanded', 'true')
})

test('Enter opens the sheet step by step and closes it at the top', async () => {
  const { sheet, handle } = open()
  handle.focus()
  await userEvent.keyboard('{Enter}{Enter}')
  expect(sheet.style.height).toBe('90%')
  expect(handle).toHaveAccessibleName('Show less')
  await userEvent.keyboard('{Enter}')
  expect(sheet.style.height).toBe('30%')
})

test('a height belongs to the nearest stop', () => {
  const indexes = [0.1, 0.44, 0.46, 1].map((share) => nearestStop([0.3, 0.6, 0.9], share))
  expect(indexes).toEqual([0, 0, 1, 2])
})

describe('dragging the sheet', () => {
  test('a drag ends at the nearest stop', () => {
    const { sheet, drag } = open()
    const { release } = drag(700, 450)
    expect(height(sheet)).toBe('55%')
    release()
    expect(height(sheet)).toBe('60%')
  })

  test('the sheet follows the pointer while it is down', () => {
    const { sheet, drag } = open()
    drag(700, 690, 600, 550)
    expect(height(sheet)).toBe('45%')
    expect(sheet).toHaveAttribute('data-dragging', 'true')
  })

  test.each([
    [700, 640, '30%'],
    [700, 540, '60%'],
    [700, 200, '90%'],
    [700, 990, '30%'],
  ])('a drag from %d to %d comes to rest at %s', (from, to, rest) => {
    const { sheet, drag } = open()
    drag(from, to).release()
    expect(height(sheet)).toBe(rest)
    expect(sheet).not.toHaveAttribute('data-dragging')
  })

  test('the sheet cannot be dragged out of reach', () => {
    const { sheet, drag } = open()
    drag(700, -900)
    expect(height(sheet)).toBe('100%')
    drag(700, 5000)
    expect(height(sheet)).toBe('8%')
  })

  test('a movement of a few pixels is a tap and opens the sheet by one stop', () => {
    const { sheet, handle, drag } = open()
    drag(700, 697, 704).release()
    expect(height(sheet)).toBe('30%')
    fireEvent.click(handle, { detail: 1 })
    expect(height(sheet)).toBe('60%')
  })

  test('the click event at the end of a drag is not a tap', () => {
    const { sheet, handle, drag } = open()
    drag(700, 400).release()
    fireEvent.click(handle, { detail: 1 })
    expect(height(sheet)).toBe('60%')
  })

  test('the keyboard works after a drag', async () => {
    const { sheet, handle, drag } = open()
    drag(700, 400).release()
    handle.focus()
    await userEvent.keyboard('{Enter}')
    expect(height(sheet)).toBe('90%')
  })

  test('a cancelled pointer ends the drag at a stop', () => {
    const { sheet, handle, drag } = open()
    drag(700, 420)
    fireEvent.pointerCancel(handle, { clientY: 420 })
    expect(height(sheet)).toBe('60%')
  })

  test('a hovering pointer does not move the sheet', () => {
    const { sheet, handle } = open()
    fireEvent.pointerMove(handle, { clientY: 100 })
    fireEvent.pointerUp(handle, { clientY: 100 })
    expect(height(sheet)).toBe('30%')
  })

  test('a pointer does not move the sheet after its release', () => {
    const { sheet, handle, drag } = open()
    drag(700, 400).release()
    fireEvent.pointerMove(handle, { clientY: 100 })
    expect(height(sheet)).toBe('60%')
  })
})

describe('controlled sheet', () => {
  test('onStop is called for each stop, never beyond the last', async () => {
    const onStop = vi.fn()
    const { handle, drag } = open({ onStop })
    handle.focus()
    await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
    drag(100, 950).release()
    expect(onStop.mock.calls.map(([stop]) => stop)).toEqual([1, 2, 2, 0])
  })

  test('a changed stop prop moves the sheet', async () => {
    function Holder() {
      const [stop, setStop] = useState(0)
      return (
        <MantineProvider>
          <button type="button" onClick={() => setStop(2)}>
            Open card
          </button>
          <Sheet label="Trackers" stops={[0.2, 0.5, 0.8]} stop={stop} onStop={setStop}>
            <p>Rex</p>
          </Sheet>
        </MantineProvider>
      )
    }
    render(<Holder />)
    await userEvent.click(screen.getByRole('button', { name: 'Open card' }))
    const sheet = screen.getByRole('region', { name: 'Trackers' })
    expect(height(sheet)).toBe('80%')
    await userEvent.click(screen.getByRole('button', { name: 'Show less' }))
    expect(height(sheet)).toBe('20%')
  })

  test('a stop prop beyond the last stop is clamped', () => {
    const { sheet, handle } = open({ stops: [0.3, 0.6], stop: 7 })
    expect(height(sheet)).toBe('60%')
    expect(handle).toHaveAccessibleName('Show less')
  })
})

test('the content stays interactive, and the handle references it', async () => {
  const { handle } = open()
  expect(handle).toHaveAttribute('aria-expanded', 'false')
  const body = document.getElementById(handle.getAttribute('aria-controls') ?? '')
  expect(body).toContainElement(screen.getByRole('button', { name: 'Rex' }))
})
