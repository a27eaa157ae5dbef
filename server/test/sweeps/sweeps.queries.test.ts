import { expect, test } from 'vitest'
import { routes } from '#server/test/examples/all.ts'
import { admission, urlOf } from '#server/test/examples/request.ts'
import { PERSON } from './test-people.ts'
import { onePortal } from './test-portal.ts'

const portal = onePortal()
const withQuery = routes.filter(({ route }) => route.query)

test.each(withQuery)('$name refuses a query parameter that is given twice, by its name', async ({ route, example }) => {
  const role = Array.isArray(route.access) ? (route.access[0] as keyof typeof PERSON) : null
  const headers = admission(route, role && (await portal.token(PERSON[role])))
  for (const name of Object.keys(route.query?.shape ?? {})) {
    const url = urlOf(route, { ...example, query: { ...example.query, [name]: '1' } })
    const answer = await portal.call(null, route.method, `${url}&${name}=2`, undefined, headers)
    expect(answer, name).toMatchObject({ status: 400, body: { code: 'validation_error', errors: { [name]: expect.any(Array) } } })
  }
})
