import type { CDPSession, Page } from '@playwright/test'
import { expect, type TestWorld, test } from '#e2e/portal.ts'

const [EMAIL, PASSWORD] = ['alice@example.com', 'Demo-1234']

/** Gives the page an authenticator that verifies its user and stores passkeys; returns its controls. */
async function addAuthenticator(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const passkey = async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials[0]!
  return {
    passkey,
    /** Whether a user is present at the authenticator. */
    touch: (enabled: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Replaces the passkey with a copy whose counter has another value. */
    async setCounter(signCount: number) {
      const credential = await passkey()
      await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId })
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount } })
    },
  }
}

async function typePassword(page: Page) {
  await page.getByLabel('E-mail or username').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
}

async function typeCode(page: Page, code: string) {
  await page.getByLabel('Code or recovery code').fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

const expectHome = (page: Page) => expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
const expectWrong = (page: Page) => expect(page.getByRole('alert')).toContainText('This code is wrong')

async function addPasskey(page: Page) {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('Desk')
  await page.getByRole('button', { name: 'Add a passkey' }).last().click()
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible()
}

test('a passkey of the browser is added, and signs in without a password', async ({ page, open }) => {
  await addAuthenticator(page)
  await open('/account/security', 'alice')
  await addPasskey(page)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('Desk', { exact: true })).toBeVisible()
  await open('/logout')
  await expectHome(page)
})

test('a passkey completes a sign-in with the password; a copy whose counter went back does not', async ({ page, open }) => {
  const authenticator = await addAuthenticator(page)
  await open('/account/security', 'alice')
  await addPasskey(page)
  // Without user presence the authenticator offers nothing to the sign-in form.
  await authenticator.touch(false)
  await open('/logout')
  await typePassword(page)
  await authenticator.touch(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expectHome(page)
  const { signCount } = await authenticator.passkey()
  expect(signCount).toBeGreaterThan(0)
  await authenticator.touch(false)
  await open('/logout')
  await typePassword(page)
  await authenticator.setCounter(0)
  await authenticator.touch(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('The passkey could not be used')
  await authenticator.setCounter(signCount + 10)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expectHome(page)
})

test('an app for codes is set up; its codes sign in under the clock of the world, and each recovery code once', async ({
  page,
  world,
  open,
}) => {
  await open('/account/security', 'alice')
  await page.getByRole('button', { name: 'Set up an app' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await page.getByLabel('Code from the app').fill(await codeNow(world))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const shown = page.getByRole('region', { name: 'Your recovery codes' }).locator('li code')
  await expect(shown).toHaveCount(10)
  const codes = await shown.allTextContents()
  const old = await codeNow(world)
  await world.clock.advance('PT5M')
  await open('/logout')
  await typePassword(page)
  await typeCode(page, old)
  await expectWrong(page)
  await typeCode(page, await codeNow(world))
  await expectHome(page)
  for (const [code, expectAnswer] of [
    [codes[0]!, expectHome],
    [codes[0]!, expectWrong],
  ] as const) {
    await open('/logout')
    await typePassword(page)
    await typeCode(page, code)
    await expectAnswer(page)
  }
  await typeCode(page, codes[1]!.toLowerCase())
  await expectHome(page)
})

/** The code that the user's app shows now. */
const codeNow = async (world: TestWorld) => (await world.secondFactor.code({ params: { email: EMAIL } })).code
