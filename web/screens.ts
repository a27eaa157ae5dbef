import type { ComponentType } from 'react'

const files = import.meta.glob<{ default: ComponentType }>('./features/*/*-screen.tsx')

/** Loads a screen by the name of its file: `contacts/contacts` is `features/contacts/contacts-screen.tsx`. */
export function load(screen: string) {
  const file = files[`./features/${screen}-screen.tsx`]
  if (!file) throw new Error(`There is no screen ${screen}`)
  return file()
}
