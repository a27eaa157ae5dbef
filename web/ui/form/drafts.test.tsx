import { waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '#web/lib/api/query.ts'
import { userNameQuery } from '#web/lib/api/user-name.ts'
import { storage } from '#web/lib/storage.ts'
import { createDraft, isDetour } from './drafts.ts'

const signedIn = (username: string, updatedAt?: number) => {
  storage.set('token', `of ${username}`)
  queryClient.setQueryData(userNameQuery().queryKey, { username }, { updatedAt })
}

function show(fields: string) {
  document.body.innerHTML = `<form>${fields}</form>`
  const form = document.forms[0]!
  const field = (at: number) => form.elements[at] as HTMLInputElement
  return { draft: createDraft(form), form, field }
}

const FIELDS = `<label>Name<input></label><label>Rex<input type="checkbox"></label><label>Rex<input type="checkbox"></label>
  <label>Colour<select><option>red<option>blue</select></label><label>Secret<input type="password"></label>`

async function leave(fields = FIELDS) {
  const { draft, field } = show(fields)
  const whose = draft.begin()
  field(0).value = 'Boat'
  field(2).checked = true
  field(3).value = 'blue'
  field(4).value = 'Demo-1234'
  draft.keep()
  await whose
}

const valuesOf = ({ form }: { form: HTMLFormElement }) =>
  [...form.elements].map((field) =>
    field.matches('[type=checkbox]') ? (field as HTMLInputElement).checked : (field as HTMLInputElement).value,
  )

afterEach(() => queryClient.clear())

test('the same user finds the form as it was left, except for passwords', async () => {
  signedIn('alice')
  await leave()
  const back = show(FIELDS)
  await waitFor(() => expect(valuesOf(back)).toEqual(['Boat', false, true, 'blue', '']))
  back.draft.end()
  expect(valuesOf(show(FIELDS))).toEqual(['', false, false, 'red', ''])
})

test('the owner of a draft is known even if the session ended before anything was typed', async () => {
  signedIn('alice', 1)
  await leave()
  const back = show(FIELDS)
  await waitFor(() => expect(back.field(0)).toHaveValue('Boat'))
})

test('fields that appear later are filled in then', async () => {
  signedIn('alice')
  await leave()
  const back = show(FIELDS)
  back.field(3).replaceChildren()
  await waitFor(() => expect(back.field(0)).toHaveValue('Boat'))
  back.field(3).append(new Option('red'), new Option('blue'))
  await waitFor(() => expect(back.field(3)).toHaveValue('blue'))
})

test('a field that gets its label while another one is filled in is filled in too', async () => {
  signedIn('alice')
  const fields = (label: string) => `<label>${label}<input></label><label>Spot<input></label>`
  const { draft, field } = show(fields('Address (required)'))
  const whose = draft.begin()
  field(0).labels![0]!.firstChild!.textContent = 'Address'
  field(0).value = 'Behind the old oak'
  field(1).value = '52,5'
  draft.keep()
  await whose
  const back = show(fields('Address (required)'))
  back.field(1).addEventListener('input', () => back.field(0).labels![0]!.firstChild!.replaceWith('Address'))
  await waitFor(() => expect(valuesOf(back)).toEqual(['Behind the old oak', '52,5']))
})

test('if the form is replaced while the user is looked up, its replacement gets the draft', async () => {
  signedIn('alice')
  await leave()
  show(FIELDS).draft.end()
  const back = show(FIELDS)
  await waitFor(() => expect(back.field(0)).toHaveValue('Boat'))
})

test('a draft is restored even if the checkboxes load after the other fields', async () => {
  signedIn('alice')
  const BOXES = /<label>Rex<input type="checkbox"><\/label>/g
  const { draft, form, field } = show(FIELDS.replace(BOXES, ''))
  const whose = draft.begin()
  form.insertAdjacentHTML('beforeend', '<label>Rex<input type="checkbox"></label>')
  field(0).value = 'Boat'
  draft.keep()
  await whose
  const back = show(FIELDS)
  await waitFor(() => expect(back.field(0)).toHaveValue('Boat'))
})

test('another user or a form with other initial values does not get the draft', async () => {
  signedIn('alice')
  await leave()
  signedIn('bob')
  const others = show(FIELDS)
  signedIn('alice')
  await leave()
  const another = show(FIELDS.replace('<input>', '<input value="Car">'))
  await queryClient.fetchQuery(userNameQuery())
  expect([others.field(0).value, another.field(0).value]).toEqual(['', 'Car'])
})

test("a guest's draft survives a failure but not the login page", () => {
  expect([isDetour('/error', true), isDetour('/login', true), isDetour('/login', false)]).toEqual([true, false, true])
})
