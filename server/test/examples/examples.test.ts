import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { successOf } from '#contracts/lib/route.ts'
import { persona } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { routeOf, routes } from './all.ts'
import { play } from './play.ts'

test.each(routes)('$name has an example that matches its schemas', ({ name, route }) => {
  const { example } = routeOf(name)
  for (const part of ['params', 'query', 'body'] as const) {
    expect(part in example, part).toBe(route[part] !== undefined)
    if (route[part]) expect(z.safeParse(route[part], example[part]).error).toBeUndefined()
  }
})

test.each(routes)('the example of $name succeeds in the seeded world', async ({ name, route }) => {
  await using portal = await startPortal()
  const answer = await play(portal.app, name, (key) => portal.token(persona(key).email))
  expect(answer, answer.text.slice(0, 300)).toMatchObject({ status: successOf(route).status })
})
