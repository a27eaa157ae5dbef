import { expect, test } from 'vitest'
import { nameOf, screens } from '#e2e/screens/screens.ts'
import { routes } from '#web/app/routes.tsx'

test('every route of the portal has a screen in the gallery', () => {
  expect(routes.length).toBeGreaterThan(60)
  const opened = new Set(screens.map(({ name }) => name))
  expect(routes.map(({ name }) => name).filter((name) => !opened.has(name))).toEqual([])
})

test('each gallery picture has a unique name', () => {
  const names = screens.map(nameOf)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
