import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { storage } from '#web/lib/storage.ts'

const isScheme = (value: string | null): value is MantineColorScheme => value === 'light' || value === 'dark' || value === 'auto'

/** Light, dark or as the system says, kept where the rest of the portal's choices are kept. */
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
