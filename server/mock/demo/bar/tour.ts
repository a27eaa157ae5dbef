import { element } from '#server/mock/panel/parts/element.ts'
import { icon } from './dialogs.ts'
import type { Words, World } from './server.ts'

/** Session storage key, per browser tab: the tour was used or dismissed. */
const DONE_KEY = 'demoTourDone'
/** Page of the tracker that is out for a walk in the demo, where a visit as Alice begins. */
const WALK = /^\/trackers\/1\/*$/

/** Shows one line of help on the first page of a visit, until it is dismissed or the visitor moves on. `draw` renders the bar again. */
export function createTour(draw: () => void) {
  const isShown = (world: World | null) =>
    world?.scenario === 'family' && world.persona === 'alice' && WALK.test(location.pathname) && sessionStorage.getItem(DONE_KEY) === null

  function end() {
    sessionStorage.setItem(DONE_KEY, '')
    draw()
  }

  return {
    isShown,
    line: (words: Words) =>
      element(
        'div',
        { class: 'tour' },
        element('p', {}, words.bar.tour),
        element('button', { type: 'button', 'aria-label': words.bar.tourEnd, title: words.bar.tourEnd, onclick: end }, icon('close')),
      ),
    /**
     * Ends the tour when a button of the tracker's card is pressed, or another page is open; a link changes the address after its click.
     */
    follow(world: () => World | null) {
      let wasShown = isShown(world())
      const look = (isUsed: boolean) => {
        wasShown ||= isShown(world())
        if (wasShown && sessionStorage.getItem(DONE_KEY) === null && (isUsed || !isShown(world()))) end()
      }
      document.addEventListener('click', ({ target }) => {
        const isUsed = target instanceof Element && target.closest('article :is(a, button)') !== null
        setTimeout(() => look(isUsed), 100)
      })
      addEventListener('popstate', () => look(false))
    },
  }
}
