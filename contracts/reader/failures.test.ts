import { describe, expect, test } from 'vitest'
import { readOtherFailure } from './failures.ts'

const TAKEN = 'user with this email already exists.'

describe('refusals of other frameworks', () => {
  test.each([
    ['Django REST Framework', { email: [TAKEN] }],
    ['Django REST Framework with codes', { email: [{ message: TAKEN, code: 'unique' }] }],
    ['a problem document', { type: 'about:blank', title: 'Bad', status: 400, detail: 'Refused', errors: { email: [TAKEN] } }],
    ['Laravel', { message: 'The given data was invalid.', errors: { email: ['The email has already been taken.'] } }],
    ['Rails', { errors: { email: ['has already been taken'] } }],
    ['Spring', { status: 400, error: 'Bad Request', errors: [{ field: 'email', defaultMessage: 'must be unique' }] }],
    ['FastAPI', { detail: [{ loc: ['body', 'email'], msg: 'e-mail already registered', type: 'value_error' }] }],
    ['JSON:API', { errors: [{ source: { pointer: '/data/attributes/email' }, detail: TAKEN }] }],
    ['a list of fields', { errors: [{ field: 'email', detail: TAKEN }] }],
    ['a text by field', { email: 'already in use' }],
    ['an envelope', { success: false, error: { message: 'Refused', errors: { email: [TAKEN] } } }],
  ])('a taken e-mail is recognised in %s', (_, body) => {
    expect(readOtherFailure(body).reasons).toEqual({ email: 'taken' })
  })

  test.each([
    [
      'taken',
      [
        'This field must be unique.',
        'Cet e-mail est déjà utilisé.',
        'Diese E-Mail existiert bereits.',
        'Ya existe un usuario.',
        'Esiste già.',
        'Dit adres bestaat al.',
        'Já existe um utilizador.',
        'Adressen används redan.',
        'Osoite on jo käytössä.',
        'Már létezik.',
        'Adresa již existuje.',
        'すでに登録されています。',
      ],
    ],
    [
      'required',
      [
        'This field is required.',
        "can't be blank",
        'Ce champ est obligatoire.',
        'Dieses Feld ist erforderlich.',
        'Este campo es obligatorio.',
        'Campo obbligatorio.',
        'Dit veld is verplicht.',
        'Kenttä on pakollinen.',
        'Ez a mező kötelező.',
        'Toto pole je povinné.',
        'この項目は必須です。',
      ],
    ],
    [
      'invalid',
      [
        'Enter a valid email address.',
        'The domain does not exist.',
        'Date has wrong format.',
        'Adresse e-mail invalide.',
        'Ungültige Adresse.',
        'Ogiltig adress.',
        'Érvénytelen cím.',
        'Neplatná adresa.',
        '有効なメールアドレスを入力してください。',
      ],
    ],
    ['other', ['E42', 'Ask the operator.', '']],
  ])('messages that mean %s are recognised in several languages', (reason, texts) => {
    expect(texts.filter((text) => readOtherFailure({ email: [text] }).reasons?.email !== reason)).toEqual([])
  })

  test.each([
    ['beside a sentence', { detail: 'The S/N number identification has failed', remaining_attempts: 1 }, { remaining_attempts: 1 }],
    ['beside a list of errors', { errors: [{ detail: 'Refused.' }], remaining_attempts: 1 }, { remaining_attempts: 1 }],
    ['in an envelope', { success: false, data: { remaining_attempts: 0 } }, { remaining_attempts: 0 }],
    ['in a problem document', { type: 'x', title: 'x', status: 400, detail: 'x', lock: { until: 5 } }, { lock: { until: 5 } }],
  ])('error data in the form %s is preserved', (_, body, extras) => {
    expect(readOtherFailure(body)).toEqual({ extras })
  })

  test.each([
    undefined,
    null,
    '',
    'text',
    [],
    {},
    { detail: 'Not found.' },
    { message: 'No.' },
    { error: 'No.' },
    { non_field_errors: ['No.'] },
  ])('the rejection %j is read by its status alone', (body) => {
    expect(readOtherFailure(body)).toEqual({})
  })

  test("field names of a rejection are mapped to the contract's, whatever their case", () => {
    expect(readOtherFailure({ errors: { firstName: ['too long'] } }).fields).toEqual({ first_name: ['too long'] })
  })
})
