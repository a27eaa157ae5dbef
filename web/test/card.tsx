import { screen, within } from '@testing-library/react'
import { openAs } from './open-as.tsx'

const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()

/** The card of a tracker under its own address, and how to read it. */
export async function openCard(id: number, as = 'alice@example.com') {
  const page = await openAs(as, `/trackers/${id}`)
  const element = await screen.findByRole('article')
  const card = within(element)
  return {
    ...page,
    element,
    card,
    /** How it is, how old that is, how exact: what stands under its name. */
    state: () => plain(element.querySelector('header p')?.textContent),
    /** Everything that has a name on the card, details included. */
    facts: () =>
      Object.fromEntries(
        [...element.querySelectorAll('dt')].map((name) => [
          plain(name.textContent),
          plain(name.nextElementSibling?.textContent).replace(/^Battery/, ''),
        ]),
      ),
    /** Opens one of its dialogs. */
    async dialog(name: 'Share' | 'Boost' | 'Lost' | 'Mode') {
      await page.user.click(card.getByRole('button', { name }))
      return within(await screen.findByRole('dialog'))
    },
    /** Calls that change something, as method and path. */
    changes: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  }
}
