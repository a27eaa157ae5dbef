import { expect, test } from 'vitest'
import { createSearch, listTags } from './filters.ts'
import { sampleDevice } from './sample-device.ts'

const pets = { id: 4, name: 'Pets', color: '#f00' }

test('R-3.4 a search matches name, tag, address and numbers, ignoring accents and case', () => {
  const rex = sampleDevice({ tag: pets })
  expect(['rex', 'PETS', 'republica malvin', 'alice', '1000000001', ''].every((query) => createSearch(query)(rex))).toBe(true)
  expect(createSearch('rex cat')(rex)).toBe(false)
})

test('each tag in use is listed once, by name', () => {
  const tag = (id: number, name: string) => sampleDevice({ tag: { id, name, color: '#000' } })
  expect(listTags([tag(2, 'Vehicles'), tag(1, 'Pets'), tag(2, 'Vehicles'), sampleDevice()]).map(({ name }) => name)).toEqual([
    'Pets',
    'Vehicles',
  ])
})
