import type { ComponentType } from 'react'
import type { WordPart, Words } from './i18n.ts'

/** Names of the screens: what `lastVisitedRoute` holds, and the key of the title (requirements G.3). */
export type RouteName = keyof Words['title']

export type Layout = 'navigation' | 'auth' | 'bare' | 'either'

type Base = {
  name: RouteName
  path: string
  /** Who may open it; a stranger is sent to sign in. */
  access: 'public' | 'session'
}

/** A screen in its layout, and what it says beyond the shell. `either` has the navigation bar when somebody is signed in. */
export type ScreenRow = Base & { layout: Layout; screen: () => Promise<{ default: ComponentType }>; words?: readonly WordPart[] }

/** A path that does something and leads on. */
export type PassageRow = Base & { enter: () => string }

export type RouteRow = ScreenRow | PassageRow
