/** Whether a browser repeats the same request after a redirect; otherwise it sends a `GET` without a body. */
export const keepsCall = (method: string, status: number) => method === 'GET' || method === 'HEAD' || status === 307 || status === 308

export const sendsTo = (status: number, location: string | null | undefined) =>
  status >= 300 && status < 400 && location ? location : undefined
