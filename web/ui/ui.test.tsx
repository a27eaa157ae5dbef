import { MantineProvider } from '@mantine/core'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { changeLanguage, startLanguage } from '#web/lib/i18n/i18n.ts'
import { Failure, ServerError } from '#web/ui/feedback/error-boundary.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { PasswordField, RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { FloatingCard } from './floating-card.tsx'

beforeAll(() => startLanguage('en'))
const show = (children: ReactNode) => render(<MantineProvider>{children}</MantineProvider>)

describe('load failure', () => {
  test('R-8.30 a failure is announced with the general message and can be retried', async () => {
    const retry = vi.fn()
    show(<Failure retry={retry} />)
    expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })

  test('a failure may have its own message and no button', () => {
    show(<Failure title="No way today" />)
    expect(screen.getByRole('heading', { level: 2, name: 'No way today' })).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('R-8.15 the server error page has its message as the first heading', async () => {
    const retry = vi.fn()
    show(<ServerError retry={retry} />)
    expect(screen.getByRole('heading', { level: 1, name: 'Server error' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })
})

test('an empty state is not an alert and offers the next step', () => {
  show(
    <Empty icon={<svg />} title="No link yet" action={<a href="/new">Create link</a>}>
      Share where it is.
    </Empty>,
  )
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText('Share where it is.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Create link' })).toBeVisible()
})

describe('R-5.7 text fields', () => {
  test('a required field ends with a visual * and is required for screen readers', () => {
    show(<TextField label="Name" required />)
    const field = screen.getByRole('textbox', { name: /^Name/ })
    expect(field).toBeRequired()
    expect(document.querySelector('label')?.textContent).toBe('Name *')
    expect(document.querySelector('[aria-hidden=true]')?.textContent).toContain('*')
  })

  test('an optional field has no mark', () => {
    show(<TextField label="Note" />)
    expect(screen.getByRole('textbox', { name: 'Note' })).not.toBeRequired()
    expect(document.querySelector('label')?.textContent).toBe('Note')
  })

  test('an error is associated with its field', () => {
    show(<TextField label="E-mail" error="Invalid e-mail address" aria-invalid />)
    const field = screen.getByRole('textbox', { name: 'E-mail' })
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription('Invalid e-mail address')
  })

  test('the legend explains the mark in the language of the page', async () => {
    show(<RequiredLegend />)
    expect(screen.getByText('Fields marked * are mandatory')).toBeVisible()
    await changeLanguage('de')
    expect(await screen.findByText(/\*/)).not.toHaveTextContent('mandatory')
    await changeLanguage('en')
  })

  test('a password is hidden, can be shown by mouse and keyboard, and keeps its text', async () => {
    const user = userEvent.setup()
    show(<PasswordField label="Password" />)
    const field = screen.getByLabelText('Password', { selector: 'input' })
    await user.type(field, 'secret')
    expect(field).toHaveAttribute('type', 'password')
    await user.tab()
    expect(screen.getByRole('button', { name: 'Show password' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(field).toHaveAttribute('type', 'text')
    expect(field).toHaveValue('secret')
    await user.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(field).toHaveAttribute('type', 'password')
  })

  test('showing the password does not submit the form', async () => {
    const sent = vi.fn()
    show(
      <form onSubmit={sent}>
        <PasswordField label="Password" />
      </form>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect(sent).not.toHaveBeenCalled()
  })
})

test('the alert region of a form exists before its first error, so that the error is announced', () => {
  const { rerender } = show(<FormAlert>{null}</FormAlert>)
  const alert = screen.getByRole('alert')
  expect(alert).toBeEmptyDOMElement()
  rerender(
    <MantineProvider>
      <FormAlert>Please fill in all fields</FormAlert>
    </MantineProvider>,
  )
  expect(screen.getByRole('alert')).toBe(alert)
  expect(alert).toHaveTextContent('Please fill in all fields')
})

test('loading is announced once for any number of skeleton rows', () => {
  show(<SkeletonRows count={4} />)
  const status = screen.getByRole('status')
  expect(status).toHaveTextContent(/^Loading…$/)
  expect(within(status).queryAllByRole('listitem')).toEqual([])
})

test('a floating card with a name is a region, one without is not', () => {
  show(
    <>
      <FloatingCard label="Rex">A</FloatingCard>
      <FloatingCard>B</FloatingCard>
    </>,
  )
  expect(screen.getAllByRole('region').map((card) => card.textContent)).toEqual(['A'])
})
