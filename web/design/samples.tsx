import type { CSSProperties, ReactNode } from 'react'
import { useId } from 'react'
import classes from './design.module.css'

const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const NAMES: Record<Theme, string> = { light: 'Light', dark: 'Dark' }

const selectorsOf = (theme: Theme) => {
  const scheme = `[data-mantine-color-scheme="${theme}"]`
  return [':root', `:root${scheme}`, scheme]
}

const known = new Map<Theme, Record<string, string>>()

/**
 * The variables of a theme as the style sheets declare them, by name. An element that has them shows its content in that theme, whatever the
 * theme of the page is.
 */
export function readTheme(theme: Theme): Record<string, string> {
  const read = known.get(theme) ?? {}
  if (known.has(theme)) return read
  const wanted = selectorsOf(theme)
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  for (const rule of rules) {
    if (!(rule instanceof CSSStyleRule) || !rule.selectorText.split(',').some((selector) => wanted.includes(selector.trim()))) continue
    for (const name of rule.style) if (name.startsWith('--')) read[name] = rule.style.getPropertyValue(name)
  }
  known.set(theme, read)
  return read
}

type Props = {
  title: string
  lead?: string
  children: (theme: Theme) => ReactNode
}

/** A heading, and what belongs to it in both themes: next to each other, or below each other in a narrow window. */
export function Samples({ title, lead, children }: Props) {
  const heading = useId()
  return (
    <section className={classes.section} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {lead && <p className={classes.lead}>{lead}</p>}
      <div className={classes.panes}>
        {THEMES.map((theme) => (
          <fieldset
            key={theme}
            className={classes.pane}
            aria-label={`${title}: ${NAMES[theme]}`}
            data-mantine-color-scheme={theme}
            style={{ ...readTheme(theme), colorScheme: theme } as CSSProperties}
          >
            {children(theme)}
          </fieldset>
        ))}
      </div>
    </section>
  )
}
