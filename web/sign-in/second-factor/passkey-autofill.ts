import { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser'
import { factorApi } from '#web/signed-in/second-factor.api.ts'

/**
 * Offers the device's passkeys among the suggestions of the user name field, and resolves to a token once one was chosen. Resolves to null
 * if the browser does not support it, and when the page is left.
 */
export async function waitForPasskey(isLeft: () => boolean): Promise<string | null> {
  if (!(await browserSupportsWebAuthnAutofill()) || isLeft()) return null
  const { challenge, options } = await factorApi.passkeyOptions({}, { staysOn401: true, staysOnNoAnswer: true })
  if (isLeft()) return null
  const passkey = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true })
  const { token } = await factorApi.passkey(
    { body: { challenge, passkey: { ...passkey, clientExtensionResults: {} } } },
    { staysOn401: true },
  )
  return token
}

/** Ends the offer, so that another request for a passkey can begin. */
export const stopWaiting = () => WebAuthnAbortService.cancelCeremony()
