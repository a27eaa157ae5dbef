import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { getSuccess } from '#contracts/lib/route.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { endpoints, type NamedEndpoint } from './all.ts'
import { sendExample } from './send-example.ts'

const nameOf = ({ name }: NamedEndpoint) => name

test('every endpoint has an example that matches its schemas', async () => {
  const failures = await collectFailures(endpoints, nameOf, ({ route, example }) => {
    for (const part of ['params', 'query', 'body'] as const) {
      expect(part in example, part).toBe(route[part] !== undefined)
      if (route[part]) expect(z.safeParse(route[part], example[part]).error).toBeUndefined()
    }
  })
  expect(failures).toEqual([])
})

test('the example of every endpoint succeeds in the seeded world', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(endpoints, nameOf, async ({ name, route }) => {
    const world = await portal.worlds.create({ id: name.replace('.', '-').toLowerCase(), seed: 1 })
    const response = await sendExample(portal.app, name, (key) => signInAs(world, getPersona(key).email), { 'x-world': world.id })
    world.close()
    expect(response, response.text.slice(0, 300)).toMatchObject({ status: getSuccess(route).status })
  })
  expect(failures).toEqual([])
})
