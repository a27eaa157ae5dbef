import type { ComponentType } from 'react'
import type { rights } from '#contracts/lib/rights.ts'
import type { WordPart, Words } from '#web/lib/i18n/i18n.ts'

/** Names of the screens: what `lastVisitedRoute` holds, and the key of the title (requirements G.3). */
export type RouteName = keyof Words['title']

/** What a role may do (D-01). */
export type Right = keyof typeof rights

export type Layout = 'navigation' | 'auth' | 'bare' | 'own' | 'either'

type Base = {
  name: RouteName
  path: string
  /** Who may open it; a stranger is sent to sign in. */
  access: 'public' | 'session'
}

/** A screen in its layout, and what it says beyond the shell. `either` has the navigation bar when somebody is signed in. */
export type ScreenRow = Base & {
  layout: Layout
  screen: () => Promise<{ default: ComponentType }>
  words?: readonly WordPart[]
  /** The right it takes; a role without it finds no such page. */
  may?: Right
}

/** A path that does something and leads on. */
export type PassageRow = Base & { enter: () => string }

export type RouteRow = ScreenRow | PassageRow
