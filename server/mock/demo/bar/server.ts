type Persona = { key: string; name: string; email: string }
export type World = {
  scenario: string
  now: string
  ends_at: string
  persona: string | null
  personas: Persona[]
  staff: Persona[]
  newest_mail: number
}
export type Mail = { id: number; subject: string; to: string; created_at: string; language: string }
export type Words = Pick<typeof import('#locales/en/demo.json'), 'bar'>

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const token = localStorage.getItem('token')
  const answer = await fetch(path, { ...init, headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) } })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}

const post = (body: object = {}) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Requests of the bar; each throws on an error response. */
export const server = {
  world: () => request<World>('/demo/world'),
  words: (language: string) => request<Words>(`/demo/words/${language}.json`),
  mails: () => request<Mail[]>('/mock/mail'),
  share: () => request<{ url: string; expires_at: string }>('/demo/share', post()),
  signInStaff: (member: string) => request('/mock/staff/login', post({ member })),
  reset: () => request('/mock/reset', post()),
}

export const personaUrl = ({ scenario }: World, persona: string) => `/?demo=${scenario}&as=${persona}`
