import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { ApiError } from '#web/lib/api/api-error.ts'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import { findEmptyFields, listControls, readFormValues, useForm } from './use-form.ts'

beforeAll(() => startLanguage('en'))

const Schema = z.object({ name: z.string().check(z.maxLength(5)), note: z.string(), agree: z.boolean() })

function Form({ submit }: { submit: (values: z.infer<typeof Schema>) => Promise<unknown> }) {
  const { form, field, isBusy, failure } = useForm({
    schema: Schema,
    submit,
    words: { name: 'Five letters at most' },
    failure: ({ code }) => (code === 'too_many_links' ? 'Five links at most' : undefined),
  })
  const { error, ...name } = field('name')
  return (
    <form {...form}>
      <input aria-label="Name" required {...name} />
      <p>{error}</p>
      <input aria-label="Note" name="note" />
      <input type="checkbox" aria-label="Agree" name="agree" required />
      <p role="alert">{failure}</p>
      <button type="submit" disabled={isBusy}>
        Save
      </button>
    </form>
  )
}

async function fill(submit: (values: z.infer<typeof Schema>) => Promise<unknown>, name = 'Rex') {
  const user = userEvent.setup()
  render(<Form submit={submit} />)
  if (name) await user.type(screen.getByLabelText('Name'), name)
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }))
  return { user, save, agree: () => user.click(screen.getByLabelText('Agree')) }
}

test("the schema's output is submitted, with text and booleans", async () => {
  const submit = vi.fn(async () => {})
  const { save, agree } = await fill(submit)
  await agree()
  await save()
  expect(submit).toHaveBeenCalledExactlyOnceWith({ name: 'Rex', note: '', agree: true })
})

test('R-5.6 a required checkbox counts as a field', async () => {
  const submit = vi.fn(async () => {})
  const { save } = await fill(submit)
  await save()
  expect(screen.getByRole('alert')).toHaveTextContent('Please fill in all fields')
  expect(screen.getByLabelText('Agree')).toHaveFocus()
  expect(submit).not.toHaveBeenCalled()
})

test('R-5.6 missing fields are marked, and the form error disappears with the last of them', async () => {
  const { user, save, agree } = await fill(async () => {}, '')
  await save()
  expect(screen.getByText('Still missing')).toBeVisible()
  await user.type(screen.getByLabelText('Name'), ' ')
  expect(screen.getByText('Still missing')).toBeVisible()
  await user.type(screen.getByLabelText('Name'), 'Rex')
  expect(screen.queryByText('Still missing')).toBeNull()
  expect(screen.getByRole('alert')).toHaveTextContent('Please fill in all fields')
  await agree()
  expect(screen.getByRole('alert')).toBeEmptyDOMElement()
})

test.each(['\u200b', '\u00a0', '\u202e\u2066', '\u3164'])(
  'R-5.6 a required field with %j, which is invisible, is missing',
  async (text) => {
    const submit = vi.fn(async () => {})
    const { save, agree } = await fill(submit, text)
    await agree()
    await save()
    expect(screen.getByText('Still missing')).toBeVisible()
    expect(submit).not.toHaveBeenCalled()
  },
)

test('a field that the schema rejects is marked until it is corrected', async () => {
  const { user, save, agree } = await fill(async () => {}, 'Grandpa')
  await agree()
  await save()
  expect(screen.getByText('Five letters at most')).toBeVisible()
  expect(screen.getByLabelText('Name')).toBeInvalid()
  await user.type(screen.getByLabelText('Name'), '{Backspace}')
  expect(screen.queryByText('Five letters at most')).toBeNull()
})

test("a field that the server rejects is explained in the form's own words", async () => {
  const { save, agree } = await fill(() =>
    Promise.reject(new ApiError(400, { code: 'validation_error', fields: { name: ['taken'], id: ['?'] } })),
  )
  await agree()
  await save()
  expect(screen.getByText('Five letters at most')).toBeVisible()
  expect(screen.queryByText('taken')).toBeNull()
})

test.each([
  ['too_many_links', 'Five links at most'],
  ['server_error', 'Something went wrong, please try again'],
] as const)('R-8.30 after %s the error is shown, the input stays and the form can be sent again', async (code, sentence) => {
  const { save, agree } = await fill(() => Promise.reject(new ApiError(409, { code })))
  await agree()
  await save()
  expect(screen.getByRole('alert')).toHaveTextContent(sentence)
  expect(screen.getByLabelText('Name')).toHaveValue('Rex')
  expect(screen.getByRole('button')).toBeEnabled()
})

test('a form is sent once however often the button is pressed', async () => {
  const submit = vi.fn(() => new Promise(() => {}))
  const { user, save, agree } = await fill(submit)
  await agree()
  await save()
  await user.type(screen.getByLabelText('Note'), '{Enter}')
  expect(submit).toHaveBeenCalledOnce()
})

const form = () => {
  const { container } = render(
    <form>
      <input name="name" required defaultValue=" " />
      <input name="note" />
      <textarea name="message" required defaultValue="hello" />
      <select name="kind" defaultValue="dog">
        <option value="dog" />
      </select>
      <input type="checkbox" name="agree" required />
      <input type="checkbox" name="news" defaultChecked />
      <input aria-label="without a name" required />
      <button type="submit" />
    </form>,
  )
  return container.querySelector('form')!
}

test('form values are text, and ticks are booleans', () => {
  expect(readFormValues(form())).toEqual({ name: ' ', note: '', message: 'hello', kind: 'dog', agree: false, news: true })
})

test('R-5.6 empty required fields are returned in form order, and spaces count as empty', () => {
  expect(findEmptyFields(form()).map(({ name }) => name)).toEqual(['name', 'agree'])
})

test('R-5.6 a required radio group without a choice is empty', () => {
  const radios = (chosen?: string) => {
    const { container } = render(
      <form>
        {['dog', 'cat'].map((kind) => (
          <input key={kind} type="radio" name="kind" value={kind} required defaultChecked={kind === chosen} />
        ))}
      </form>,
    )
    return container.querySelector('form')!
  }
  expect(findEmptyFields(radios()).map(({ name }) => name)).toContain('kind')
  expect(findEmptyFields(radios('cat'))).toEqual([])
})

test('only elements with a name are fields', () => {
  expect(listControls(form()).map(({ name }) => name)).toEqual(['name', 'note', 'message', 'kind', 'agree', 'news'])
})
