import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { UNNAMED } from '#contracts/lib/unknown-values.ts'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import { ThemeProvider } from '#web/theme/theme-provider.tsx'
import { DateField } from './date-field.tsx'
import { TextField } from './fields.tsx'

test('a name missing in a backend starts empty in a form, any other name unchanged', () => {
  render(
    <ThemeProvider>
      <TextField label="Tracker" defaultValue={UNNAMED} />
      <TextField label="Tag" defaultValue="Pets" />
    </ThemeProvider>,
  )
  expect(screen.getByLabelText('Tracker')).toHaveValue('')
  expect(screen.getByLabelText('Tag')).toHaveValue('Pets')
})

beforeAll(() => startLanguage('en'))

test("a date is written out in the page's language, whatever order of digits the browser uses", async () => {
  render(
    <ThemeProvider>
      <DateField type="date" label="Birthday" defaultValue="1988-04-17" />
    </ThemeProvider>,
  )
  expect(screen.getByText('Apr 17, 1988')).toBeVisible()
  await userEvent.clear(screen.getByLabelText('Birthday'))
  expect(screen.queryByText('Apr 17, 1988')).toBeNull()
})
