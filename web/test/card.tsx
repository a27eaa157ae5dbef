import { screen, within } from '@testing-library/react'
import type { Fault } from './faults.ts'
import { openAs } from './open-as.tsx'

const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()

export async function openCard(id: number, as = 'alice@example.com', faults: Record<string, Fault> = {}) {
  const page = await openAs(as, `/trackers/${id}`, {}, faults)
  const element = await screen.findByRole('article')
  const card = within(element)
  await card.findByText('Details')
  await card.findByRole('button', { name: 'Share' })
  return {
    ...page,
    element,
    card,
    /** State, age and accuracy: the line under the tracker's name. */
    state: () => plain(element.querySelector('header p')?.textContent),
    facts: () =>
      Object.fromEntries(
        [...element.querySelectorAll('dt')].map((name) => [
          plain(name.textContent),
          plain(name.nextElementSibling?.textContent).replace(/^Battery/, ''),
        ]),
      ),
    async dialog(name: 'Share' | 'Boost' | 'Lost' | 'Mode') {
      await page.user.click(await card.findByRole('button', { name: name === 'Lost' ? /^(Mark as lost|Lost mode)$/ : name }))
      return within(await screen.findByRole('dialog'))
    },
    changes: () => page.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  }
}
