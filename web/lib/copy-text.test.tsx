import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

const clipboard = (writeText?: (text: string) => Promise<void>) =>
  Object.defineProperty(navigator, 'clipboard', { value: writeText && { writeText }, configurable: true })

/** What the browser would copy in the old way, and where it stood. */
const oldWay = (works = true) => {
  const copied: { text: string; isInDialog: boolean }[] = []
  document.execCommand = () => {
    const { activeElement } = document
    if (activeElement instanceof HTMLTextAreaElement)
      copied.push({ text: activeElement.value, isInDialog: activeElement.closest('dialog') !== null })
    return works
  }
  return copied
}

afterEach(() => {
  clipboard()
  document.body.replaceChildren()
})

test('puts text on the clipboard', async () => {
  const write = vi.fn(() => Promise.resolve())
  clipboard(write)
  expect(await copyText('https://example.com')).toBe(true)
  expect(write).toHaveBeenCalledWith('https://example.com')
})

test.each([
  ['missing', undefined],
  ['forbidden', () => Promise.reject(new Error('NotAllowed'))],
])('a clipboard that is %s leaves the old way, which leaves no trace', async (_, write) => {
  clipboard(write)
  const copied = oldWay()
  document.body.innerHTML = '<dialog open><button>Copy</button></dialog>'
  const button = document.querySelector('button')
  button?.focus()
  expect(await copyText('link')).toBe(true)
  expect(copied).toEqual([{ text: 'link', isInDialog: true }])
  expect(document.querySelector('textarea')).toBeNull()
  expect(button).toHaveFocus()
})

test('says so when nothing works', async () => {
  clipboard()
  oldWay(false)
  expect(await copyText('link')).toBe(false)
  document.execCommand = () => {
    throw new Error('unsupported')
  }
  expect(await copyText('link')).toBe(false)
})
