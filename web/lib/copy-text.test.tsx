import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

const clipboard = (writeText?: (text: string) => Promise<void>) =>
  Object.defineProperty(navigator, 'clipboard', { value: writeText && { writeText }, configurable: true })

/** Stubs `document.execCommand` and records the text it would copy, and the position of its element. */
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

test('the text is written to the clipboard', async () => {
  const write = vi.fn(() => Promise.resolve())
  clipboard(write)
  expect(await copyText('https://example.com')).toBe(true)
  expect(write).toHaveBeenCalledWith('https://example.com')
})

test.each([
  ['missing', undefined],
  ['forbidden', () => Promise.reject(new Error('NotAllowed'))],
])('with a clipboard that is %s the text is copied with execCommand, which leaves no element behind', async (_, write) => {
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

test('copying returns false when neither way works', async () => {
  clipboard()
  oldWay(false)
  expect(await copyText('link')).toBe(false)
  document.execCommand = () => {
    throw new Error('unsupported')
  }
  expect(await copyText('link')).toBe(false)
})
