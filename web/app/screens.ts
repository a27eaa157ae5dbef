import type { ComponentType } from 'react'

const files = import.meta.glob<{ default: ComponentType }>('../*/**/*-screen.tsx')

/** Loads a screen by its file name: `alerts/contacts` is `web/alerts/contacts-screen.tsx`. */
export function loadScreen(screen: string) {
  const file = files[`../${screen}-screen.tsx`]
  if (!file) throw new Error(`There is no screen ${screen}`)
  return file()
}
