import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Shade 7 is the accent on paper, shade 4 the one in the dark. */
const teal: MantineColorsTuple = [
  '#f0fdfa',
  '#ccfbf1',
  '#99f6e4',
  '#5eead4',
  '#2dd4bf',
  '#14b8a6',
  '#0d9488',
  '#0f766e',
  '#115e59',
  '#134e4a',
]

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 4 },
  colors: { teal },
  autoContrast: true,
  black: '#12181f',
  fontFamily: 'var(--font)',
  headings: { fontFamily: 'var(--font)', fontWeight: '650' },
  radius: { sm: 'var(--r-s)', md: 'var(--r-m)', lg: 'var(--r-l)' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  shadows: { md: 'var(--shadow)' },
})

/** Mantine draws with our ink and paper, which also gives its texts the contrast they lack by default. */
const ours = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-2)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--bg)',
  '--mantine-color-default-hover': 'var(--bg-2)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-default-color': 'var(--text)',
}

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: ours, dark: ours })
