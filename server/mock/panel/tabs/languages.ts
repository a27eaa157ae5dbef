import { LANGUAGES } from '#contracts/lib/languages.ts'
import { button, group, line, note } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { panelState } from '#server/mock/panel/parts/panel-state.ts'
import type { Tab } from '#server/mock/panel/parts/tab.ts'

export const languages: Tab = {
  id: 'languages',
  title: 'Languages',
  show(context) {
    const spoken = document.documentElement.lang
    const isPseudo = panelState.isPseudo === true
    context.fill(
      group(
        'Language of this browser',
        line(
          ...LANGUAGES.map((tag) =>
            button(
              context,
              element('span', { lang: tag }, new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag),
              () => {
                localStorage.setItem('language', tag)
                context.reload(`The portal is shown in ${tag}`)
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
            context,
            'Pseudo-words',
            () => {
              panelState.isPseudo = !isPseudo
              context.reload(isPseudo ? 'Pseudo-words are off' : 'Pseudo-words are on')
            },
            { role: 'switch', 'aria-checked': String(isPseudo), class: 'switch' },
          ),
        ),
        note(
          'All text of the page, names and data included, becomes a third longer and gets accents, which reveals text that is cut off or concatenated.',
        ),
      ),
    )
  },
}
