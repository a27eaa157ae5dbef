import { Suspense, useState } from 'react'
import type { RequestOptions } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'

const ConfirmSignInDialog = lazy(async () => (await Promise.all([import('./confirm-sign-in-dialog.tsx'), loadWords(['account'])]))[0])

/**
 * Sends requests that may need a recent sign-in. If the server requires one, `dialog` asks the user to confirm and the request is sent
 * again. Render `dialog` outside of forms. With `staysOn401`, the caller handles every other 401 and 403 itself, such as that of a wrong
 * password.
 */
export function useRecentSignIn() {
  const [finish, setFinish] = useState<((isDone: boolean) => void) | null>(null)

  async function confirmed<T>(send: (options: RequestOptions) => Promise<T>, options: RequestOptions = {}): Promise<T> {
    try {
      return await send({ staysOn401: true })
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error
      if (options.staysOn401 && error.code !== 'sign_in_again') throw error
      if (error.code === 'sign_in_again' && !(await askUser())) throw new ApiError(403, { code: 'sign_in_again', isLeaving: true })
    }
    // Any other rejection redirects as usual.
    return send(options)
  }

  async function askUser() {
    const isDone = await new Promise<boolean>((resolve) => setFinish(() => resolve))
    setFinish(null)
    return isDone
  }

  const dialog = finish && (
    <Suspense>
      <ConfirmSignInDialog onDone={() => finish(true)} onClose={() => finish(false)} />
    </Suspense>
  )
  return { confirmed, dialog }
}
