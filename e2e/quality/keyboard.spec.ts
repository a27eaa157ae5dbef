import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

/** More Tab presses than any page has tab stops. */
const MANY = 70

/** Describes the focused element for failure messages; null without focus. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return element && element !== document.body ? element.outerHTML.slice(0, 120) : null
  })

/** Whether the focused element, or its label, has a visible focus ring and is in view. */
const isSeen = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element) return false
    const shown = [element, ...(element instanceof HTMLInputElement ? (element.labels ?? []) : []), element.parentElement!]
    const isMarked = shown.some((one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    })
    const { top, left, bottom, right } = element.getBoundingClientRect()
    return isMarked && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  })

/** Presses Tab until the target has the focus; fails if the focus is lost or invisible on the way. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  const wanted = await target.elementHandle()
  for (let keys = 0; keys < MANY; keys++) {
    await page.keyboard.press(key)
    const at = await focus(page)
    expect(at, `focus after ${key}`).not.toBeNull()
    expect(await isSeen(page), `visible focus: ${at}`).toBe(true)
    if (await page.evaluate((element) => document.activeElement === element, wanted)) return
  }
  throw new Error(`${target} cannot be reached by Tab`)
}

const enter = async (page: Page, target: Locator) => {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

test('R-1.5 R-2.5 signing in, choosing a tracker and signing out work by keyboard alone', async ({ page, open }) => {
  await open('/login')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await tabTo(page, page.getByLabel('E-mail or username'))
  await page.keyboard.type('alice@example.com')
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type('Demo-1234')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible({ timeout: 60_000 })
  await enter(page, page.getByRole('link', { name: /^Misty/ }))
  await expect(page.getByRole('heading', { name: 'Misty' })).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Misty' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: /^Misty/ })).toBeFocused()
  await expect(page.getByRole('article', { name: 'Misty' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('places')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^Places/ })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Log out' })).toBeVisible()
  await enter(page, page.getByRole('link', { name: 'Log out' }))
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('R-1.12 sharing a link works by keyboard alone', async ({ page, open, world }) => {
  await open('/trackers/2', 'alice')
  const share = page.getByRole('article', { name: 'Misty' }).getByRole('button', { name: 'Share' })
  await share.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByLabel(/^Name of the link/))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('For the vet')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('link', { name: 'For the vet' })).toBeVisible()
  expect(await world.api('alice').links.listOf({ params: { id: 2 } })).toMatchObject([{ label: 'For the vet' }])
  await tabTo(page, dialog.getByRole('button', { name: 'Close' }).first(), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(share).toBeFocused()
})

test('R-1.8 replaying a day and showing any moment of it work by keyboard alone', async ({ page, open }) => {
  await open('/trackers/2/history', 'alice')
  const slider = page.getByRole('slider').first()
  await expect(slider).toBeVisible()
  await enter(page, page.getByRole('button', { name: 'Play' }))
  await expect(page.getByRole('button', { name: 'Pause' })).toBeFocused()
  const before = await slider.inputValue()
  await expect.poll(() => slider.inputValue()).not.toBe(before)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Play' })).toBeFocused()
  await tabTo(page, slider)
  const stopped = await slider.inputValue()
  await page.keyboard.press('ArrowLeft')
  await expect(slider).not.toHaveValue(stopped)
})

test('R-1.10 composing and deleting an alert work by keyboard alone', async ({ page, open, world }) => {
  const ofGrandpa = async () => (await world.api('alice').alerts.list({ query: {} })).filter(({ devices }) => devices.includes(6))
  await open('/alerts', 'alice')
  await expect(page.getByRole('heading', { name: /^Alerts/ })).toBeVisible()
  await enter(page, page.getByRole('link', { name: 'New alert' }))
  await expect(page.getByRole('heading', { name: 'New alert' })).toBeVisible()
  const part = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}: `) })
  const done = page.getByRole('button', { name: 'Done' })
  await enter(page, part('Which trackers'))
  await tabTo(page, page.getByLabel('Search: Which trackers'))
  await page.keyboard.type('grand')
  await tabTo(page, page.getByRole('checkbox', { name: 'Grandpa' }))
  await page.keyboard.press('Space')
  await enter(page, done)
  await expect(part('Which trackers')).toBeFocused()
  await enter(page, part('What happens'))
  await tabTo(page, page.getByRole('radio', { name: 'Enters a place' }))
  await page.keyboard.press('ArrowRight')
  await enter(page, done)
  await enter(page, part('Which place'))
  await tabTo(page, page.getByRole('dialog').getByRole('radio').first())
  while (!(await page.getByRole('radio', { name: /^School/ }).isChecked())) await page.keyboard.press('ArrowDown')
  await enter(page, done)
  await enter(page, part('Whom to tell'))
  await tabTo(page, page.getByRole('checkbox', { name: /^Me / }))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('checkbox', { name: /^Dave/ }))
  await page.keyboard.press('Space')
  await enter(page, done)
  await enter(page, page.getByRole('button', { name: 'Create alert' }))
  const sentence = 'When Grandpa leaves School, tell Dave.'
  const line = page.getByRole('list', { name: 'Alerts' }).getByText(sentence)
  await expect(page).toHaveURL(/\/alerts$/)
  await expect(line).toBeVisible()
  expect(await ofGrandpa()).toMatchObject([{ devices: [6], trigger: 'leave' }])
  await enter(page, page.getByRole('button', { name: `Delete: ${sentence}` }))
  await enter(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await expect(line).toHaveCount(0)
  await expect(page.locator(':focus')).toHaveCount(1)
  expect(await ofGrandpa()).toEqual([])
})
