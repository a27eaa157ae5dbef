import { convertCssVariables, DEFAULT_THEME, deepMerge, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import type { Plugin } from 'vite'
import { cssVariables, theme } from '#web/theme/theme.ts'

/** Filled by this plugin; tests leave it empty. */
const PLACE = /\/web\/theme\/variables\.css$/

/** Returns the variables that Mantine's styles use, with the values of our theme. */
function formatThemeVariables() {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const scheme = (name: string) => ({ '--mantine-color-scheme': name })
  const variables = deepMerge(deepMerge(defaultCssVariablesResolver(merged), cssVariables(merged)), {
    variables: {},
    dark: scheme('dark'),
    light: scheme('light'),
  })
  return convertCssVariables(variables, ':root')
}

/** Mantine would add them as a style element, which the content security policy does not allow. */
export const themeStyles: Plugin = {
  name: 'theme-styles',
  enforce: 'pre',
  load: (id) => (PLACE.test(id.replaceAll('\\', '/').split('?')[0] ?? '') ? formatThemeVariables() : undefined),
}
