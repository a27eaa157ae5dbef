import type { Page } from '@playwright/test'
import type { Language } from '#contracts/lib/languages.ts'
import type { RouteName } from '#web/lib/navigation/routing.ts'

export type Translate = (key: string) => string

/** A screen to check: every route of the portal, and its notable states and dialogs. */
export type Screen = {
  name: RouteName
  /** A state other than the plain screen; one word, part of the picture's name. */
  state?: string
  path: string
  /** Key of the signed-in persona. */
  as?: string
  /** The member of staff who is signed in to the console. */
  staff?: string
  /** Key of its title, by default that of its route. */
  title?: string
  /** Browser storage left by earlier visits. */
  kept?: { local?: Record<string, string>; tab?: Record<string, string> }
  /** Interaction that leads to the state. */
  act?: (page: Page, translate: Translate) => Promise<unknown>
  /** Selector that appears with the state; by default an open dialog. */
  ready?: string
  /** The only language this screen is shown in. */
  language?: Language
  /** The screen can be opened once only; the next visit shows something else. */
  isSpent?: true
  /** A request fails on purpose. */
  fails?: true
}

export const key = (end: string) => `5eed0000-0000-4000-8000-000000000${end}`

export const press =
  (word: string, within = 'main') =>
  (page: Page, translate: Translate) =>
    page
      .locator(within)
      .getByRole('button', { name: translate(word), exact: true })
      .first()
      .click()
/** Presses the button of one entry of a list: `Delete: Bob`. */
export const pressOf = (word: string, name: string) => (page: Page, translate: Translate) =>
  page.getByRole('button', { name: `${translate(word)}: ${name}`, exact: true }).click()
/** Presses such a button, or chooses the entry where its details stand beside the list. */
export const openEntry = (word: string, name: string) => ({
  act: async (page: Page, translate: Translate) => {
    const button = page.getByRole('button', { name: `${translate(word)}: ${name}`, exact: true })
    await button
      .or(page.getByRole('link', { name, exact: true }))
      .first()
      .click()
  },
  ready: 'dialog[open], li > a[aria-current]',
})
export const choose = (selector: string) => (page: Page) => page.locator(selector).first().click()

/** Submits a form without filling it in. */
export const refused = { act: choose('main button[type="submit"]'), ready: '[aria-invalid="true"]' }

export const native = { local: { nativeApp: 'true' } }

export const alice = (name: RouteName, path: string, more: Partial<Screen> = {}): Screen => ({ name, path, as: 'alice', ...more })
export const anyone = (name: RouteName, path: string, more: Partial<Screen> = {}): Screen => ({ name, path, ...more })
/** The screen of an account without any data. */
export const empty = (name: RouteName, path: string): Screen => ({ name, path, as: 'dario', state: 'empty' })
export const supports = (name: RouteName, path: string): Screen => ({ name, path, as: 'support', state: 'readonly' })
