import { LANGUAGES } from '#contracts/lib/constants.ts'
import type { Tab } from '#server/mock/panel/parts/desk.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { kept } from '#server/mock/panel/parts/kept.ts'
import { button, group, line, note } from '#server/mock/panel/parts/parts.ts'

export const languages: Tab = {
  id: 'languages',
  title: 'Languages',
  show(desk) {
    const spoken = document.documentElement.lang
    const isPseudo = kept.isPseudo === true
    desk.fill(
      group(
        'Language of this browser',
        line(
          ...LANGUAGES.map((tag) =>
            button(
              desk,
              element('span', { lang: tag }, new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag),
              () => {
                localStorage.setItem('language', tag)
                desk.reload(`The portal speaks ${tag}`)
              },
              { 'aria-pressed': String(tag === spoken), class: 'switch' },
            ),
          ),
        ),
      ),
      group(
        'Pseudo-words',
        line(
          button(
            desk,
            'Pseudo-words',
            () => {
              kept.isPseudo = !isPseudo
              desk.reload(isPseudo ? 'The portal speaks plainly' : 'The portal speaks in pseudo-words')
            },
            { role: 'switch', 'aria-checked': String(isPseudo), class: 'switch' },
          ),
        ),
        note(
          'All that the page shows, names and data too, becomes a third longer and gets marks: what is cut off, or glued together of pieces, shows.',
        ),
      ),
    )
  },
}
