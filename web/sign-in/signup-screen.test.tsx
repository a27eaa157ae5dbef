import { cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { respondWith, withFaults } from '#web/test/faults.ts'
import '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Person = Awaited<ReturnType<typeof renderAt>>['user']
const REGISTER = '/users/register'
const TOKEN = '/api/v1/auth/web_get_token/'
const field = (label: RegExp) => screen.findByLabelText(label, { selector: 'input' })
const submit = () => screen.getByRole('button', { name: 'Create account' })
const mine = async (portal: Portal, path: string) => {
  const answer = await portal.fetch(path, { headers: { authorization: `Bearer ${storage.get('token')}` } })
  return answer.json()
}

type TypedFields = { email?: string; password?: string }

async function fill(user: Person, { email = 'nina@example.com', password = 'long enough' }: TypedFields = {}) {
  await user.type(await field(/^First name/), 'Nina')
  await user.type(await field(/^Last name/), 'Nowak')
  await user.type(await field(/^E-mail/), email)
  await user.type(await field(/^Password/), password)
}

test.each([
  ['hu', ['Vezetéknév', 'Keresztnév']],
  ['en', ['First name', 'Last name']],
])('in %s the name fields follow the order of the language', async (language, labels) => {
  const { container } = await renderAt('/signup', { languages: [language] })
  await waitFor(() => expect([...container.querySelectorAll('label')].slice(0, 2).map(({ textContent }) => textContent)).toEqual(labels))
})

test('the address fields of registration and sign-in behave alike', async () => {
  const describeField = (input: HTMLElement) =>
    ['inputmode', 'autocapitalize', 'spellcheck', 'autocomplete'].map((name) => input.getAttribute(name)?.split(' ')[0])
  await renderAt('/signup')
  expect(await field(/^E-mail/)).toHaveProperty('type', 'text')
  const registration = describeField(await field(/^E-mail/))
  cleanup()
  await renderAt('/login')
  expect(describeField(await field(/^E-mail or username/))).toEqual(registration)
  expect(registration).toEqual(['email', 'none', 'false', 'username'])
})

test('a user who registers with a Unicode address signs in with the same text', async () => {
  await using portal = await startPortal()
  const { user } = await renderAt('/signup', { portal })
  await fill(user, { email: 'anna@müller.example', password: 'Pässwört-9'.normalize('NFD') })
  await user.click(submit())
  await waitFor(() => expect(window.location.pathname).toBe('/account_email_sent'))
  cleanup()
  storage.remove('token')
  await renderAt('/login?next=%2Faccount', { portal })
  await user.type(await field(/^E-mail or username/), 'anna@müller.example')
  await user.type(await field(/^Password/), 'Pässwört-9')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByText('Nina Nowak')).toBeVisible()
})

describe('R-2.9 registration', () => {
  test('a new user gets an account, is signed in and sees that the e-mail was sent', async () => {
    await using portal = await startPortal()
    const { user, calls } = await renderAt('/signup', { portal, languages: ['fr-CH', 'en'], token: 'stale' })
    await user.type(await field(/^Prénom/), 'Nina')
    await user.type(await field(/^Nom/), 'Nowak')
    await user.type(await field(/^Adresse e-mail/), ' Nina@Example.com ')
    await user.type(await field(/^Mot de passe/), 'long enough')
    await user.click(screen.getByRole('button', { name: 'Créer le compte' }))
    expect(await screen.findByText(/nina@example\.com/)).toBeVisible()
    expect(window.location.pathname).toBe('/account_email_sent')
    expect(calls.slice(0, 2).map(({ path, headers }) => [path, headers.has('authorization')])).toEqual([
      [REGISTER, false],
      [TOKEN, false],
    ])
    const settings = { firstname: 'Nina', lastname: 'Nowak', birthday: null, language: 'fr', currency: 'chf' }
    expect(await mine(portal, '/users/settings/')).toMatchObject({ ...settings, marketing_consent: false, time_zone: expect.any(String) })
    const { body } = await portal.call(null, 'GET', '/mock/mail?to=nina@example.com', undefined, { host: 'localhost' })
    expect(body).toMatchObject([{ template: 'confirm_email' }])
  })

  test('R-3.50 the newsletter is subscribed only when the box is ticked', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/signup', { portal })
    expect(await screen.findByRole('checkbox', { name: /news and offers/ })).not.toBeChecked()
    await fill(user)
    await user.click(screen.getByRole('checkbox', { name: /news and offers/ }))
    await user.click(submit())
    await waitFor(() => expect(storage.get('token')).not.toBeNull())
    expect(await mine(portal, '/users/me/')).toMatchObject({ marketing_consent: true, birth_date: null, currency: 'eur' })
  })

  test('R-2.8 the login page links to the registration', async () => {
    const { user } = await renderAt('/login')
    await user.click(await screen.findByRole('link', { name: 'Create account' }))
    expect(await screen.findByRole('heading', { name: 'Create your account' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'I already have an account' })).toHaveAttribute('href', '/login')
  })
})

test('the form asks for nothing but the names, the e-mail address and one password', async () => {
  const { container } = await renderAt('/signup')
  await field(/^E-mail/)
  expect([...container.querySelectorAll('form input')].map((input) => input.getAttribute('name'))).toEqual([
    'first_name',
    'last_name',
    'email',
    'password',
    'marketing_consent',
  ])
  expect(screen.queryByText(/\*/)).toBeNull()
})

describe('rejected registration input', () => {
  test('R-5.4 R-5.6 R-5.7 empty required fields are marked and the first is focused', async () => {
    const { user, calls } = await renderAt('/signup')
    await user.type(await field(/^First name/), 'Nina')
    await user.click(submit())
    expect(await screen.findByText('Please fill in all fields')).toBeVisible()
    expect(await field(/^Last name/)).toHaveFocus()
    for (const label of [/^Last name/, /^E-mail/, /^Password/]) expect(await field(label)).toBeInvalid()
    expect(calls).toEqual([])
  })

  test.each([
    ['R-5.5', { email: 'a@b' }, 'Invalid e-mail address'],
    ['R-5.2', { password: 'seven77' }, 'The password must have at least 8 characters'],
  ])('%s %j is rejected without a request', async (_, typed, sentence) => {
    const { user, calls } = await renderAt('/signup')
    await fill(user, typed)
    await user.click(submit())
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(calls).toEqual([])
  })
})

test('R-1.26 field errors follow a later change of language', async () => {
  const { user } = await renderAt('/signup', { languages: ['de'] })
  await user.type(await field(/^Vorname/), 'Nina')
  await user.type(await field(/^Nachname/), 'Nowak')
  await user.type(await field(/^E-Mail/), 'nina@example.com')
  await user.type(await field(/^Passwort/), 'seven77')
  await user.click(screen.getByRole('button', { name: 'Konto erstellen' }))
  expect(await screen.findByText(/^Das Passwort muss mindestens 8 Zeichen/)).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sprache' }), 'en')
  expect(await screen.findByText('The password must have at least 8 characters')).toBeVisible()
  expect(screen.queryByText(/^Das Passwort muss/)).toBeNull()
})

describe('failed registration', () => {
  test('R-1.26 the error of a failed registration follows a later change of language', async () => {
    const { user } = await renderAt('/signup', { portal: { fetch: async () => new Response('', { status: 500 }), token: () => '' } })
    await fill(user)
    await user.click(submit())
    expect(await screen.findByText('Sign-up failed, try again or contact support')).toBeVisible()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'de')
    expect(await screen.findByText(/^Die Registrierung ist fehlgeschlagen/)).toBeVisible()
  })

  test('R-8.3 an address with an account is rejected, and the input stays', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/signup', { portal })
    await fill(user, { email: 'taken@example.com' })
    await user.click(submit())
    expect(await screen.findByText('Unable to create user account. The email may already exist')).toBeVisible()
    expect(await field(/^E-mail/)).toHaveValue('taken@example.com')
    expect(storage.get('token')).toBeNull()
  })

  test('R-8.3 a rejection without a body shows the same message', async () => {
    const { user } = await renderAt('/signup', { portal: { fetch: async () => new Response('', { status: 400 }), token: () => '' } })
    await fill(user)
    await user.click(submit())
    expect(await screen.findByText('Unable to create user account. The email may already exist')).toBeVisible()
  })

  test.each([429, 500, 503])('R-8.4 a response of %i shows that the registration failed', async (status) => {
    const { user } = await renderAt('/signup', { portal: { fetch: async () => new Response('', { status }), token: () => '' } })
    await fill(user)
    await user.click(submit())
    expect(await screen.findByText('Sign-up failed, try again or contact support')).toBeVisible()
    expect(submit()).toBeEnabled()
  })

  test.each([
    ['taken', '{"email":["user with this email already exists."]}', 'Already in use'],
    ['invalid', '{"email":["Enter a valid email address."]}', 'Invalid e-mail address'],
    ['refused for a reason of its own', '{"errors":[{"field":"email","detail":"E42"}]}', 'Check this field'],
  ])('an e-mail that another backend rejects as %s is marked with the reason', async (_, body, words) => {
    await using portal = await startPortal()
    const { user } = await renderAt('/signup', { portal: withFaults(portal, { [REGISTER]: respondWith(400, body) }) })
    await fill(user)
    await user.click(submit())
    expect(await screen.findByText('Unable to create user account. The email may already exist')).toBeVisible()
    expect(screen.getByText(words)).toBeVisible()
    expect(await field(/^E-mail/)).toBeInvalid()
  })

  test.each([400, 401, 429])('R-8.4 after a sign-in response of %i another attempt signs in without registering twice', async (status) => {
    await using portal = await startPortal()
    const server = withFaults(portal, { [TOKEN]: respondWith(status) })
    const { user, calls } = await renderAt('/signup', { portal: server })
    await fill(user)
    await user.click(submit())
    expect(await screen.findByText('Sign-up failed, try again or contact support')).toBeVisible()
    expect(window.location.pathname).toBe('/signup')
    server.mend()
    await user.click(submit())
    await waitFor(() => expect(window.location.pathname).toBe('/account_email_sent'))
    expect(calls.filter(({ path }) => path === REGISTER)).toHaveLength(1)
  })
})

test('a line below a new password rates it while it is typed, and advises while it is weak', async () => {
  const { user } = await renderAt('/signup')
  const password = await field(/^Password/)
  expect(screen.queryByText(/^Weak/)).toBeNull()
  await user.type(password, 'sunshine')
  expect(await screen.findByText(/Weak: easy to guess. Make it longer/)).toBeVisible()
  await user.clear(password)
  await user.type(password, 'correct horse battery staple')
  expect(await screen.findByText('Strong')).toBeVisible()
})
