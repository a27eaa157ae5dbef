import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { UNNAMED } from '#contracts/lib/constants.ts'
import { ThemeProvider } from '#web/theme/theme-provider.tsx'
import { TextField } from './fields.tsx'

test('a name that the backend left out starts empty in a form, any other name as it is', () => {
  render(
    <ThemeProvider>
      <TextField label="Tracker" defaultValue={UNNAMED} />
      <TextField label="Tag" defaultValue="Pets" />
    </ThemeProvider>,
  )
  expect(screen.getByLabelText('Tracker')).toHaveValue('')
  expect(screen.getByLabelText('Tag')).toHaveValue('Pets')
})
