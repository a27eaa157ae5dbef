import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

/** Shade 7 is the accent of the light theme, shade 4 that of the dark theme. */
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

/** From text to background: 4 is the border, 6 a field, 7 the page. */
const dark: MantineColorsTuple = [
  '#edf1f5',
  '#c3ccd6',
  '#9aa6b4',
  '#66727f',
  '#2a323c',
  '#232a33',
  '#1a2027',
  '#12161b',
  '#0e1216',
  '#0a0d10',
]

/** Mantine would compute the text colour of filled accents for the light theme only. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  const isAccent = input.variant === 'filled' && (input.color ?? 'teal') === 'teal'
  return isAccent ? { ...colors, background: 'var(--accent)', color: 'var(--on-accent)', hover: 'var(--accent-hover)' } : colors
}

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 4 },
  colors: { teal, dark },
  autoContrast: true,
  variantColorResolver,
  black: '#12181f',
  fontFamily: 'var(--font)',
  headings: { fontFamily: 'var(--font)', fontWeight: '600' },
  fontSizes: { xs: 'var(--t1)', sm: 'var(--t3)', md: 'var(--t4)', lg: 'var(--t5)', xl: 'var(--t6)' },
  radius: { sm: 'var(--r-s)', md: 'var(--r-m)', lg: 'var(--r-l)' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  shadows: { md: 'var(--shadow)' },
})

/** Maps Mantine's colours to ours, which also gives its secondary texts enough contrast. */
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
