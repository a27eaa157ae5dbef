import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { findEmptyFields, listControls, readFormValues } from './form-values.ts'

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
