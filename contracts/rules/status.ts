/** Any response other than 200 or 201 counts as failure (spec §5). */
export const isSuccess = (status: number) => status === 200 || status === 201

/** Activation accepts any 2xx, including 204 (spec §5). */
export const isActivationSuccess = (status: number) => status >= 200 && status <= 299

/** Data deletion proceeds only if re-authentication returns status 200 (spec §5). */
export const isReauthenticated = (status: number) => status === 200
