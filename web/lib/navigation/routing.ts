import type { ComponentType } from 'react'
import type { rights } from '#contracts/lib/rights.ts'
import type { Feature } from '#contracts/reader/features.ts'
import type { WordPart, Words } from '#web/lib/i18n/i18n.ts'

/** Names of the screens: stored as `lastVisitedRoute`, and keys of the titles. */
export type RouteName = keyof Words['title']

export type Right = keyof typeof rights

export type Layout = 'navigation' | 'auth' | 'bare' | 'own' | 'either'

type Base = {
  name: RouteName
  path: string
  /** Signed-out visitors to a `session` screen are sent to the login page. */
  access: 'public' | 'session'
}

/** A screen in its layout, with the translations it needs beyond the shell's. `either` has the navigation bar for signed-in users. */
export type ScreenRow = Base & {
  layout: Layout
  screen: () => Promise<{ default: ComponentType }>
  words?: readonly WordPart[]
  /** The right it requires; roles without it get the 404 page. */
  may?: Right
  /** The feature of the backend that it requires; without it everyone gets the 404 page. */
  features?: readonly Feature[]
  /** Exists only with the mock server; elsewhere everyone gets the 404 page. */
  isForDevelopers?: true
}

type PassageRow = Base & { enter: () => string }

export type RouteRow = ScreenRow | PassageRow
