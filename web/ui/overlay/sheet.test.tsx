import { MantineProvider } from '@mantine/core'
import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadWords, startLanguage } from '#web/lib/i18n/i18n.ts'
import { Sheet } from './sheet.tsx'
import { chooseStop } from './sheet-motion.ts'

beforeAll(async () => {
  await startLanguage('en')
  await loadWords(['inside'])
})

const HEIGHT = 1000
/** A second after a press, so that its velocity is small. */
const SLOW_MS = 1000

function open(props: { stops?: number[]; stop?: number; onStop?: (stop: number) => void } = {}) {
  render(
    <MantineProvider>
      <Sheet label="Trackers" stops={[0.3, 0.6, 0.9]} {...props}>
        <h1 data-grip>Trackers</h1>
        <button type="button">Rex</button>
        <input aria-label="Name" />
      </Sheet>
    </MantineProvider>,
  )
  const sheet = screen.getByRole('region', { name: 'Trackers' })
  const handle = screen.getByRole('button', { name: /^Show/ })
  Object.defineProperty(sheet.parentElement, 'clientHeight', { value: HEIGHT, configurable: true })
  return { sheet, handle, body: document.getElementById(handle.getAttribute('aria-controls')!)! }
}

const rest = (sheet: HTMLElement) => sheet.style.getPropertyValue('--rest')
/** Visible height in pixels while the sheet moves; null at rest. */
const shown = (sheet: HTMLElement) => {
  if (sheet.dataset.moving === undefined) return null
  const full = (Number.parseFloat(sheet.style.getPropertyValue('--full')) / 100) * HEIGHT
  return Math.round(full - Number.parseFloat(sheet.style.transform.slice('translateY('.length)))
}

test('the arrow keys move the sheet between its detents', async () => {
  const { sheet, handle } = open()
  handle.focus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(rest(sheet)).toBe('90%')
  await userEvent.keyboard('{ArrowDown}')
  expect(rest(sheet)).toBe('60%')
  expect(handle).toHaveAttribute('aria-expanded', 'true')
})

test('Enter opens the sheet step by step and closes it at the top', async () => {
  const { sheet, handle } = open()
  handle.focus()
  await userEvent.keyboard('{Enter}{Enter}')
  expect(rest(sheet)).toBe('90%')
  expect(handle).toHaveAccessibleName('Show less')
  await userEvent.keyboard('{Enter}')
  expect(rest(sheet)).toBe('30%')
})

test.each([
  [0.44, 0, 0],
  [0.46, 0, 1],
  [1, 0, 2],
  [0.32, 0.5, 1],
  [0.58, -0.5, 0],
  [0.32, 0.3, 0],
  [0.95, 2, 2],
  [0.2, -2, 0],
])('a sheet released at %d with a velocity of %d px/ms comes to rest at detent %d', (share, velocity, stop) => {
  expect(chooseStop([0.3, 0.6, 0.9], share, velocity)).toBe(stop)
})

describe('dragging the sheet', () => {
  afterEach(() => vi.useRealTimers())

  /** The sheet once it can be dragged, with a finger on a virtual clock. */
  async function openMoved(props: Parameters<typeof open>[0] = {}) {
    const page = open(props)
    await waitFor(() => {
      fireEvent.touchStart(page.handle, { touches: [{ clientX: 0, clientY: 700 }] })
      fireEvent.touchMove(page.handle, { touches: [{ clientX: 0, clientY: 690 }] })
      fireEvent.touchEnd(page.handle, { touches: [] })
      expect(page.sheet).toHaveAttribute('data-moving')
    })
    await waitFor(() => expect(page.sheet).not.toHaveAttribute('data-moving'))
    vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'performance'] })
    const reset = async () => {
      page.handle.focus()
      fireEvent.keyDown(page.handle, { key: 'ArrowDown' })
      fireEvent.keyDown(page.handle, { key: 'ArrowDown' })
      vi.advanceTimersByTime(2000)
    }
    await reset()
    let now = 0
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', target: Element, y: number, x: number, ms: number) => {
      const touches = type === 'touchEnd' ? [] : [{ clientX: x, clientY: y }]
      const event = createEvent[type](target, { touches, cancelable: true })
      now += ms
      Object.defineProperty(event, 'timeStamp', { value: now })
      fireEvent(target, event)
      return event.defaultPrevented
    }
    const drag = (target: Element, from: number, to: number, { ms = SLOW_MS, right = 0 } = {}) => {
      send('touchStart', target, from, 0, SLOW_MS)
      send('touchMove', target, from + (to - from) / 2, right / 2, ms / 2)
      const isTaken = send('touchMove', target, to, right, ms / 2)
      return { isTaken, release: () => send('touchEnd', target, to, right, 0) }
    }
    const settle = () => vi.advanceTimersByTime(2000)
    return { ...page, drag, settle }
  }

  test('the sheet follows the finger by its transform, and has its height at rest', async () => {
    const { sheet, handle, drag, settle } = await openMoved()
    const { release } = drag(handle, 700, 450)
    expect(shown(sheet)).toBe(550)
    expect(rest(sheet)).toBe('30%')
    release()
    expect(rest(sheet)).toBe('60%')
    settle()
    expect(shown(sheet)).toBeNull()
  })

  test('the title drags the sheet even while the content is scrolled', async () => {
    const { sheet, body, drag } = await openMoved()
    body.scrollTop = 200
    drag(screen.getByRole('heading'), 700, 400).release()
    expect(rest(sheet)).toBe('60%')
  })

  test('content at its top drags the sheet, scrolled content does not', async () => {
    const { sheet, body, drag, settle } = await openMoved({ stops: [0.3, 0.6], stop: 1 })
    const rex = screen.getByRole('button', { name: 'Rex' })
    body.scrollTop = 1
    expect(drag(rex, 400, 700).isTaken).toBe(false)
    expect(shown(sheet)).toBeNull()
    body.scrollTop = 0
    expect(drag(rex, 400, 500).isTaken).toBe(true)
    expect(shown(sheet)).toBe(500)
    settle()
  })

  test('content of a sheet at its highest detent scrolls up', async () => {
    const { sheet, drag } = await openMoved({ stops: [0.3, 0.6], stop: 1 })
    expect(drag(screen.getByRole('button', { name: 'Rex' }), 700, 500).isTaken).toBe(false)
    expect(shown(sheet)).toBeNull()
  })

  test('a drag sideways, or in a field, does not move the sheet', async () => {
    const { sheet, drag } = await openMoved()
    expect(drag(screen.getByRole('button', { name: 'Rex' }), 700, 690, { right: 80 }).isTaken).toBe(false)
    expect(drag(screen.getByLabelText('Name'), 700, 500).isTaken).toBe(false)
    expect(shown(sheet)).toBeNull()
  })

  test('a flick of 60 pixels moves the sheet to the next detent, a slow drag of 60 pixels does not', async () => {
    const { sheet, handle, drag, settle } = await openMoved()
    drag(handle, 700, 640).release()
    expect(rest(sheet)).toBe('30%')
    settle()
    drag(handle, 700, 640, { ms: 60 }).release()
    expect(rest(sheet)).toBe('60%')
    settle()
    drag(handle, 400, 460, { ms: 60 }).release()
    expect(rest(sheet)).toBe('30%')
  })

  test('beyond its detents the sheet resists and returns', async () => {
    const { sheet, handle, drag, settle } = await openMoved()
    const low = drag(handle, 700, 5000)
    expect(shown(sheet)).toBeGreaterThan(240)
    expect(shown(sheet)).toBeLessThan(250)
    low.release()
    settle()
    const high = drag(handle, 700, -5000)
    expect(shown(sheet)).toBeGreaterThan(950)
    expect(shown(sheet)).toBeLessThan(960)
    high.release()
    expect(rest(sheet)).toBe('90%')
  })

  test('a press stops the sheet on its way, and it continues from there', async () => {
    const { sheet, handle, drag, settle } = await openMoved()
    drag(handle, 700, 450).release()
    vi.advanceTimersByTime(50)
    const before = shown(sheet)!
    expect(before).toBeGreaterThan(550)
    expect(before).toBeLessThan(600)
    const { release } = drag(handle, 500, 480)
    expect(shown(sheet)).toBe(before + 20)
    release()
    settle()
    expect(shown(sheet)).toBeNull()
    expect(rest(sheet)).toBe('60%')
  })

  test('with reduced motion the sheet is at its detent at once', async () => {
    const { sheet, handle, drag } = await openMoved()
    const matchMedia = vi.spyOn(window, 'matchMedia')
    matchMedia.mockImplementation((media) => Object.assign(new EventTarget() as MediaQueryList, { media, matches: true }))
    drag(handle, 700, 450).release()
    expect(shown(sheet)).toBeNull()
    expect(rest(sheet)).toBe('60%')
    matchMedia.mockRestore()
  })

  test('a mouse drags the handle, and the click at the end of a drag is not a tap', async () => {
    const { sheet, handle } = await openMoved()
    fireEvent.pointerDown(handle, { clientY: 700 })
    fireEvent.pointerMove(handle, { clientY: 200 })
    fireEvent.pointerUp(handle, { clientY: 200 })
    fireEvent.click(handle, { detail: 1 })
    expect(rest(sheet)).toBe('90%')
    vi.advanceTimersByTime(2000)
    fireEvent.pointerDown(handle, { clientY: 300 })
    fireEvent.pointerUp(handle, { clientY: 300 })
    fireEvent.click(handle, { detail: 1 })
    expect(rest(sheet)).toBe('30%')
  })

  test('a hovering mouse does not move the sheet', async () => {
    const { sheet, handle } = await openMoved()
    fireEvent.pointerMove(handle, { clientY: 100 })
    fireEvent.pointerUp(handle, { clientY: 100 })
    expect(shown(sheet)).toBeNull()
  })
})

describe('controlled sheet', () => {
  test('onStop is called for each detent, never beyond the last', async () => {
    const onStop = vi.fn()
    const { handle } = open({ onStop })
    handle.focus()
    await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
    expect(onStop.mock.calls.map(([stop]) => stop)).toEqual([1, 2, 2])
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
    expect(rest(sheet)).toBe('80%')
    await userEvent.click(screen.getByRole('button', { name: 'Show less' }))
    expect(rest(sheet)).toBe('20%')
  })

  test('a stop prop beyond the last stop is clamped', () => {
    const { sheet, handle } = open({ stops: [0.3, 0.6], stop: 7 })
    expect(rest(sheet)).toBe('60%')
    expect(handle).toHaveAccessibleName('Show less')
  })
})

test('the content stays interactive, and the handle references it', async () => {
  const { handle } = open()
  expect(handle).toHaveAttribute('aria-expanded', 'false')
  const body = document.getElementById(handle.getAttribute('aria-controls') ?? '')
  expect(body).toContainElement(screen.getByRole('button', { name: 'Rex' }))
})
