import type { Locator, Page } from '@playwright/test'

/** Opens the choices of a part of an alert's sentence for `act`, and closes them. */
export async function choose(page: Page, part: string, act: (choices: Locator) => Promise<unknown>) {
  await page.getByRole('button', { name: new RegExp(`^${part}: `) }).click()
  await act(page.getByRole('dialog', { name: part }))
  await page.getByRole('button', { name: 'Done' }).click()
}
