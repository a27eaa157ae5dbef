import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const readme = readFileSync('README.md', 'utf8')

test('every npm command of the README exists in package.json', () => {
  const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
  const told = [...readme.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name)
  expect(told.length).toBeGreaterThan(10)
  expect(scripts).toEqual(expect.arrayContaining(told))
})

test.each(['README.md', 'docker-compose.yml'])('the command of %s for the container sets every variable that has to be', (file) => {
  const needed = [...readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  const command = readFileSync(file, 'utf8').match(/(\S*=.*)?docker compose up\b.*/)?.[0] ?? ''
  expect(needed).toEqual(['CONTROL_TOKEN'])
  for (const name of needed) expect(command).toContain(`${name}=`)
})
