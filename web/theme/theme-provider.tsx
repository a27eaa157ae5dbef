import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Loader.css'
import '@mantine/core/styles/Button.css'
import './variables.css'
import './fonts.css'
import './tokens.css'
import './base.css'
import './waiting.css'
import { type MantineColorScheme, type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { storage } from '#web/lib/storage.ts'
import { theme } from './theme.ts'

export const ThemeProvider = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    colorSchemeManager={colorSchemeManager}
    defaultColorScheme="auto"
    // Disables Mantine's style elements, which the content security policy forbids. The variables are in a style sheet.
    withCssVariables={false}
    withGlobalClasses={false}
  >
    {children}
  </MantineProvider>
)

const isScheme = (value: string | null): value is MantineColorScheme => value === 'light' || value === 'dark' || value === 'auto'

/** Stores the colour scheme with the portal's other local settings. */
const colorSchemeManager: MantineColorSchemeManager = {
  get: (byDefault) => {
    const stored = storage.get('theme')
    return isScheme(stored) ? stored : byDefault
  },
  set: (scheme) => storage.set('theme', scheme),
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => storage.remove('theme'),
}
