/** Whether a browser that is sent elsewhere makes the same call there: other redirects turn it into a `GET` without a body. */
export const keepsCall = (method: string, status: number) => method === 'GET' || method === 'HEAD' || status === 307 || status === 308

/** Where an answer sends its caller; undefined when it does not. */
export const sendsTo = (status: number, location: string | null | undefined) =>
  status >= 300 && status < 400 && location ? location : undefined
