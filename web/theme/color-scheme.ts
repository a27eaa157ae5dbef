import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { storage } from '#web/lib/storage.ts'

const isScheme = (value: string | null): value is MantineColorScheme => value === 'light' || value === 'dark' || value === 'auto'

/** Stores the colour scheme with the portal's other local settings. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (byDefault) => {
    const stored = storage.get('theme')
    return isScheme(stored) ? stored : byDefault
  },
  set: (scheme) => storage.set('theme', scheme),
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => storage.remove('theme'),
}
